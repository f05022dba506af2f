

def place(share, first, last):
    """Where in a piece a share of its requests has been sent, from 0 to 1."""
    if first == last:
        return share
    sent = share * (first + last) / 2
    return 2 * sent / (first + math.sqrt(first * first + 2 * (last - first) * sent)) if sent > 0 else 0.0


def arrivals(name, path, pieces):
    """When requests of an endpoint are due, in seconds from the begin, and their names and paths."""
    draws = random.Random(f"{SEED} {name}")
    begin = 0.0
    for seconds, first, last, count in pieces:
        shares = sorted(draws.random() for _ in range(count)) if AT_RANDOM else [(i + 0.5) / count for i in range(count)]
        for share in shares:
            yield begin + seconds * place(share, first, last), name, path
        begin += seconds


class Pace(LoadTestShape):
    """One user until the last answer is there."""

    is_over = False

    def tick(self):
        return None if Pace.is_over else (1, 1)


class Phones(FastHttpUser):
    host = HOST
    fixed_count = 1
    # As many connections as there may be requests in the air.
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
            print(f"warning: requests left up to {late:.1f} s late: this machine is too slow for the load")
        Pace.is_over = True
        gevent.sleep(60)
