// A process of its own that writes epochs and events to several stores at once, and says so after each:
// node write-rows.ts <stores as JSON> <name> <count>
import { openStore } from "../open-store.ts";
import { makeEvents, makeLongEpoch } from "./make-rows.ts";
import type { Place, Written } from "./run-writer.ts";

const [json = "[]", name = "", count = "0"] = process.argv.slice(2);
const places: Place[] = JSON.parse(json);
await Promise.all(places.map(write));

async function write(place: Place, index: number): Promise<void> {
  // On a slow machine with many writers it may be long until it is one's turn.
  const store = await openStore({ busyTimeoutMs: 20_000, ...place, nowMs: Date.now });
  const say = (written: Omit<Written, "place">) =>
    process.stdout.write(`${JSON.stringify({ place: index, ...written })}\n`);
  for (let number = 0; number < Number(count); number++) {
    const row = `${name}-${number}`;
    await store.epochs.put(makeLongEpoch(row));
    say({ kind: "epoch", name: row });
    await store.events.add(makeEvents(row));
    say({ kind: "events", name: row });
  }
  await store.close();
}
