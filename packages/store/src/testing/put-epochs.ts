// A process of its own that puts epochs and says so after each: node put-epochs.ts <path> <name> <count>
import { openStore } from "../open-store.ts";
import { makeEpoch } from "./make.ts";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const store = await openStore({ path, nowMs: Date.now });
for (let index = 0; index < Number(count); index++) {
  await store.epochs.put(makeEpoch({ prefix: `${name}-${index}` }));
  process.stdout.write(`${name}-${index}\n`);
}
await store.close();
