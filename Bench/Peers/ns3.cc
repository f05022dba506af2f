// Workload W in ns-3: a start and an end of each run as events of its scheduler, with its random variables.
#include <ns3/core-module.h>

#include <vector>

#include "workload.h"

using namespace ns3;

namespace {

struct Instance {
  double balance;
  uint32_t device;
  bool isRenewed;
};

std::vector<Instance> instances;
std::vector<int64_t> renewals;
std::vector<uint32_t> bins(DAY / STEP + 1);
long long runs;
Ptr<LogNormalRandomVariable> latencies;
Ptr<ExponentialRandomVariable> gaps;

void End(uint32_t number);

void Start(uint32_t number) {
  int64_t now = Simulator::Now().GetMilliSeconds();
  runs++;
  if (now + WAY_OUT < DAY) bins[(now + WAY_OUT) / STEP]++;
  Simulator::Schedule(MilliSeconds(WAY + static_cast<int64_t>(latencies->GetValue() + 0.5)), &End, number);
}

void End(uint32_t number) {
  Instance &one = instances[number];
  int64_t now = Simulator::Now().GetMilliSeconds(), renewal = renewals[one.device];
  int64_t next = now + std::max<int64_t>(MIN_SPACING, static_cast<int64_t>(gaps->GetValue() + 0.5));
  if (!one.isRenewed && next >= renewal) {
    one.balance = CAPACITY;
    one.isRenewed = true;
  }
  if (one.balance < 1) {
    // Withheld until the renewal; after it until tomorrow.
    if (one.isRenewed) return;
    next = renewal;
    one.balance = CAPACITY;
    one.isRenewed = true;
  }
  one.balance -= 1;
  Simulator::Schedule(MilliSeconds(next - now), &Start, number);
}

}  // namespace

int main(int count, char **arguments) {
  long devices = count > 1 ? atol(arguments[1]) : 1000;
  ObjectFactory scheduler;
  scheduler.SetTypeId(count > 2 ? arguments[2] : "ns3::PriorityQueueScheduler");
  Simulator::SetScheduler(scheduler);
  latencies = CreateObject<LogNormalRandomVariable>();
  latencies->SetAttribute("Mu", DoubleValue(std::log(LATENCY_MEDIAN)));
  latencies->SetAttribute("Sigma", DoubleValue(LATENCY_SIGMA));
  gaps = CreateObject<ExponentialRandomVariable>();
  gaps->SetAttribute("Mean", DoubleValue(MEAN_GAP));
  auto uniform = CreateObject<UniformRandomVariable>();
  for (long device = 0; device < devices; device++) {
    renewals.push_back(23 * int64_t{HOUR} + uniform->GetInteger(0, QUARTER - 1));
    for (int i = 0; i < INSTANCES; i++) {
      instances.push_back({uniform->GetValue(0, CAPACITY), static_cast<uint32_t>(device), false});
      Simulator::Schedule(MilliSeconds(0), &Start, static_cast<uint32_t>(instances.size() - 1));
    }
  }
  Simulator::Stop(MilliSeconds(DAY));
  Simulator::Run();
  Simulator::Destroy();
  print_counts(devices, runs, 0, bins.data());
  return 0;
}
