import { printPathological } from "./tokens/pathological.ts";
import { printSessionErrors } from "./tokens/session-errors.ts";
import { printThroughput } from "./tokens/throughput.ts";
import { printWarmRecount } from "./tokens/warm-recount.ts";

await printThroughput();
await printPathological();
await printWarmRecount();
await printSessionErrors();
