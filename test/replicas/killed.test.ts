import { POSTGRES_SKIP } from "@longhaul/store/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { turn } from "../context/rig.ts";
import { openBalancer } from "./balancer.ts";
import { type Answered, makeShared, openReplica, originOf, send, startReplica } from "./replica.ts";
import { turnOf } from "./sessions.ts";
import { messagesIn } from "./upstream.ts";

const SESSIONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const SLOW = 60_000;

describe.skipIf(POSTGRES_SKIP !== "")(`a killed gateway ${POSTGRES_SKIP}`, () => {
  it("loses no epoch, and its requests succeed at the other one", { timeout: SLOW }, async () => {
    const shared = await makeShared();
    const { upstream } = shared;
    const killed = await startReplica(shared);
    const left = await openReplica(shared);
    const balancer = await openBalancer([killed.url, left.url]);
    onTestFinished(() => balancer.close());
    const sayAll = (exchanges: number) =>
      Promise.all(SESSIONS.map((session) => send(balancer.url, turnOf(session, exchanges))));
    const sent = (session: string) => upstream.turns().filter((body) => body.includes(`Session ${session}.`));

    const origins = [await sayAll(28), await sayAll(29), await sayAll(30)].map((answers) => answers.map(originOf));
    expect(origins.map((all) => new Set(all))).toEqual([new Set(["new"]), new Set(["reused"]), new Set(["reused"])]);

    const release = upstream.hold("all");
    const underWay = sayAll(31);
    await expect.poll(() => upstream.turns().length).toBe(4 * SESSIONS.length);
    await killed.end("SIGKILL");
    release();
    const answers = await underWay;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 502, 502, 502, 502]);

    const retried = await Promise.all(
      answers.map((answer, index) => retry(answer, balancer.url, SESSIONS[index] ?? "")),
    );
    expect(new Set(retried.map(originOf))).toEqual(new Set(["reused"]));
    for (const session of SESSIONS) expect(new Set(sent(session).slice(3)).size, session).toBe(1);

    const last = await Promise.all(SESSIONS.map((session) => send(left.url, turnOf(session, 32))));
    expect(new Set(last.map(originOf))).toEqual(new Set(["reused"]));
    for (const session of SESSIONS) {
      const [now, before] = sent(session).toReversed().map(messagesIn);
      expect(now?.slice(0, before?.length)).toEqual(before);
    }
  });

  async function retry(answer: Answered, url: string, session: string): Promise<Answered> {
    let latest = answer;
    for (let tries = 0; tries < 10 && latest.status === 502; tries++) latest = await send(url, turnOf(session, 31));
    return latest;
  }

  it("has its pending summary taken over", { timeout: SLOW }, async () => {
    const shared = await makeShared({ context: { strategy: "native" } });
    const { upstream } = shared;
    const killed = await startReplica(shared);
    const left = await openReplica(shared);
    const release = upstream.hold("asks");
    const lost = send(killed.url, turn(30)).catch(() => undefined);
    await expect.poll(() => upstream.asks().length).toBeGreaterThan(0);
    const begun = [...upstream.asks()];
    const waiting = send(left.url, turn(30));
    expect((await send(left.url, [{ role: "user", content: "Hello." }])).status).toBe(200);
    await killed.end("SIGKILL");
    expect(await lost).toBeUndefined();
    release();
    const answer = await waiting;
    expect([originOf(answer), answer.headers["x-longhaul-strategy"]]).toEqual(["new", "native"]);
    const takenOver = upstream.asks().slice(begun.length);
    expect(takenOver).toEqual(expect.arrayContaining(begun));
    expect(new Set(takenOver).size).toBe(takenOver.length);
  });
});
