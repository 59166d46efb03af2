// Measures the codecs: one text delta from each upstream's format to each client's, and a request of 4 MB decoded and encoded. npm run
// bench:wire

import type { StreamEvent } from "@longhaul/conversation/advanced";
import { makeAgentLoop } from "@longhaul/conversation/testing";
import { CODECS, type Codec, type WireEvent } from "@longhaul/wire";

const ROUNDS = 9;
const DELTAS = 200;
const BODY_BYTES = 4_000_000;
const LOOP_STEPS = 600;

function main(): void {
  console.log(`one text delta, decoded and encoded, µs (median of ${ROUNDS} interleaved rounds)`);
  console.log(["from \\ to", ...CODECS.map(({ id }) => id)].map((cell) => cell.padStart(20)).join(""));
  const times = timeInterleaved(CODECS.flatMap((from) => CODECS.map((to) => translating(from, to))));
  for (const [row, from] of CODECS.entries()) {
    const cells = CODECS.map((_, column) => ((times[row * CODECS.length + column] ?? 0) * 1_000) / DELTAS);
    console.log([from.id, ...cells.map((cell) => cell.toFixed(2))].map((cell) => cell.padStart(20)).join(""));
  }
  console.log(`\na request of ${BODY_BYTES / 1e6} MB, ${2 * LOOP_STEPS} messages of an agent loop, ms`);
  const jobs = CODECS.flatMap(requestJobs);
  const spent = timeInterleaved(jobs.map(({ run }) => run));
  for (const [index, { name }] of jobs.entries()) console.log(`${(spent[index] ?? 0).toFixed(1).padStart(8)}  ${name}`);
}

/** Returns medians in milliseconds; every round runs all jobs, so that a busy machine affects all of them. */
function timeInterleaved(jobs: readonly (() => void)[]): number[] {
  const times = jobs.map((): number[] => []);
  for (const job of jobs) for (let warm = 0; warm < 20; warm++) job();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, job] of jobs.entries()) {
      const start = performance.now();
      job();
      times[index]?.push(performance.now() - start);
    }
  }
  return times.map((all) => all.toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0);
}

function translating(from: Codec, to: Codec): () => void {
  const events = streamOf(from);
  return () => {
    let reading = from.decodeStream.start();
    let writing = to.encodeStream.start();
    let bytes = 0;
    for (const event of events) {
      const [read, happened] = from.decodeStream.step(reading, event);
      reading = read;
      for (const event of happened) {
        const [written, frames] = to.encodeStream.step(writing, event);
        writing = written;
        bytes += frames.length;
      }
    }
    if (bytes === 0) throw new Error("nothing was translated");
  };
}

function streamOf(codec: Codec): readonly WireEvent[] {
  const deltas = Array.from({ length: DELTAS }, (_, serial): StreamEvent => {
    return { type: "text-delta", index: 0, text: `word ${serial} of the "reply"` };
  });
  const start: StreamEvent[] = [
    { type: "reply-start", id: "r", model: "m" },
    { type: "text-start", index: 0 },
  ];
  let state = codec.encodeStream.start();
  return [...start, ...deltas].flatMap((event) => {
    const [next, frames] = codec.encodeStream.step(state, event);
    state = next;
    return [...frames];
  });
}

function requestJobs(codec: Codec): { name: string; run: () => void }[] {
  const conversation = makeAgentLoop(LOOP_STEPS, BODY_BYTES / LOOP_STEPS);
  const target = { model: "m", maxOutputTokens: 1_000 };
  const { body } = codec.encodeRequest({ model: "m", stream: true, sampling: {}, conversation }, target);
  const text = JSON.stringify(body);
  const request = codec.decodeRequest(body, { model: "m" });
  return [
    { name: `${codec.id}: JSON.parse (${text.length} characters)`, run: () => JSON.parse(text) },
    { name: `${codec.id}: decodeRequest`, run: () => codec.decodeRequest(body, { model: "m" }) },
    { name: `${codec.id}: encodeRequest, same format`, run: () => codec.encodeRequest(request, target) },
    ...CODECS.filter(({ id }) => id !== codec.id).map((other) => ({
      name: `${codec.id}: encodeRequest for ${other.id}`,
      run: () => other.encodeRequest(request, target),
    })),
  ];
}

main();
