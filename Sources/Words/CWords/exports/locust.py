

def place(share, first, last):
    """Returns the point in a piece, from 0 to 1, by which a share of its requests has been sent."""
    if first == last:
        return share
    sent = share * (first + last) / 2
    return 2 * sent / (first + math.sqrt(first * first + 2 * (last - first) * sent)) if sent > 0 else 0.0


def arrivals(name, path, pieces):
    """Yields the due time of each request to an endpoint, in seconds from the start, with its name and path."""
    draws = random.Random(f"{SEED} {name}")
    begin = 0.0
    for seconds, first, last, count in pieces:
        shares = sorted(draws.random() for _ in range(count)) if AT_RANDOM else [(i + 0.5) / count for i in range(count)]
        for share in shares:
            yield begin + seconds * place(share, first, last), name, path
        begin += seconds


class Pace(LoadTestShape):
    """Keeps one user until the last response arrives."""

    is_over = False

    def tick(self):
        return None if Pace.is_over else (1, 1)


class Phones(FastHttpUser):
    host = HOST
    fixed_count = 1
    # The maximum number of requests in flight.
    concurrency = 20_000

    @task
    def play(self):
        flying = Group()
        late = 0.0
        begin = time.monotonic()
        for due, name, path in heapq.merge(*(arrivals(*endpoint) for endpoint in ENDPOINTS)):
            rest = begin + due - time.monotonic()
            late = max(late, -rest)
            gevent.sleep(max(rest, 0))
            flying.spawn(self.client.get, path, name=name)
        flying.join(timeout=60)
        if late > 0.1:
            print(f"warning: requests were sent up to {late:.1f} s late: this machine is too slow for the load")
        Pace.is_over = True
        gevent.sleep(60)
