// Writes epochs and events to several stores at once and prints each acknowledged write: <stores as JSON> <name> <count>
import { openStore, type StoreLocation } from "../open-store.ts";
import { makeEvents, makeLongEpoch, type Written } from "./run-writer.ts";

const [json = "[]", name = "", count = "0"] = process.argv.slice(2);
const stores: StoreLocation[] = JSON.parse(json);
await Promise.all(stores.map(write));

async function write(location: StoreLocation, index: number): Promise<void> {
  // On a slow machine with many writers, the lock may take long.
  const store = await openStore({ busyTimeoutMs: 20_000, ...location, nowMs: Date.now });
  const report = (written: Omit<Written, "store">) =>
    process.stdout.write(`${JSON.stringify({ store: index, ...written })}\n`);
  for (let number = 0; number < Number(count); number++) {
    const row = `${name}-${number}`;
    await store.epochs.put(makeLongEpoch(row));
    report({ kind: "epoch", name: row });
    await store.events.add(makeEvents(row));
    report({ kind: "events", name: row });
  }
  await store.close();
}
