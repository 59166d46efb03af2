import type { JsonObject } from "@longhaul/conversation";
import { buildExample } from "./example-builder.ts";

const SERVICES = ["gateway", "orders", "payments", "stock", "mail"] as const;

/** An agent on call investigates an outage: tool results are long, and few lines of them are relevant. */
export function outage(): JsonObject {
  const started = buildExample(
    "You are on call for a shop. Be brief, name times and services, and never restart payments without asking.",
    [
      { name: "logs", description: "The latest log lines of a service.", inputs: ["service", "since"] },
      { name: "metrics", description: "A service's metrics per minute, as JSON.", inputs: ["service"] },
      { name: "runbook", description: "What to do about an alert.", inputs: ["alert"] },
    ],
  )
    .user(
      "Alert CHK-17: checkouts have been failing since 02:14, error rate 31%. Find the cause. Deploy 8841 went out at 02:09 on orders.",
    )
    .use("The runbook first.", ["runbook", { alert: "CHK-17" }], RUNBOOK);
  const investigated = SERVICES.reduce(
    (grown, service, index) =>
      grown
        .use(`What does ${service} log?`, ["logs", { service, since: "02:05" }], logLines(service, 120))
        .use("And its metrics.", ["metrics", { service }], figures(service, 60, index)),
    started,
  );
  return investigated
    .assistant(
      "Cause: since deploy 8841, orders has been holding its database connections too long. Its pool of 20 has been empty since 02:13; payments waits for it and gives up after 3 s (ERR_POOL_TIMEOUT), so checkouts fail. Stock and mail are healthy.",
    )
    .user("Rolled back to 8840 at 02:41. Has it recovered? Finance wants the number of lost checkouts by 09:00.")
    .use("Let me check orders again.", ["logs", { service: "orders", since: "02:41" }], logLines("orders", 80, false))
    .use("And the metrics of payments.", ["metrics", { service: "payments" }], figures("payments", 40, 0))
    .user("Write the summary for the incident channel: cause, times, remaining work.")
    .body();
}

const RUNBOOK = `CHK-17: checkouts fail
1. Look at payments and orders first: they are called during a checkout.
2. ERR_POOL_TIMEOUT means that a database pool is empty. Do not restart payments: open transactions would be lost.
3. If a deploy is younger than one hour, roll it back.
4. Report the number of lost checkouts to finance, from the ledger, not from metrics.`;

/** Deterministic log lines; a few of them show the fault. */
function logLines(service: string, count: number, isBroken = true): string {
  return Array.from({ length: count }, (_, index) => {
    const time = `02:${String(5 + Math.floor(index / 10)).padStart(2, "0")}:${String((index * 7) % 60).padStart(2, "0")}`;
    const trace = ((index + 11) * 2_654_435_761) % 4_294_967_296;
    const isSlow = isBroken && index > 80 && index % 9 === 0 && (service === "orders" || service === "payments");
    const message = isSlow
      ? `ERROR ERR_POOL_TIMEOUT no connection after 3000 ms (pool 20/20, waiting ${index - 60})`
      : `INFO  ${index % 3 === 0 ? "POST" : "GET"} /v2/${service}/${(index * 37) % 900} 200 in ${5 + ((index * 13) % 40)} ms`;
    return `2026-03-02T${time}Z ${service} ${message} trace=${trace.toString(16).padStart(8, "0")}`;
  }).join("\n");
}

function figures(service: string, minutes: number, offset: number): string {
  const points = Array.from({ length: minutes }, (_, minute) => ({
    minute,
    requests: 900 + ((minute * 31 + offset * 17) % 200),
    errors: service === "payments" && minute > 13 && minute < 41 ? 280 + (minute % 9) : minute % 3,
    p99Ms: 40 + ((minute * 7 + offset) % 25),
    pool: service === "orders" && minute > 12 && minute < 41 ? 20 : 6 + (minute % 4),
  }));
  return JSON.stringify({ service, unit: "per minute", points }, null, 1);
}
