import { describe, expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { openJobs } from "./do-job.ts";
import { findExample } from "./examples/examples.ts";
import type { PreviewJob, Question, Told } from "./messages.ts";

const { text } = findExample("bug-hunt");
const job: PreviewJob = { kind: "preview", text, key: "k", asksModels: true, page: { from: 0, limit: 1 } };

/** Answers as a gateway would, and counts what was asked. */
function makeGateway() {
  const asked: Question["kind"][] = [];
  const ask = async (question: Question): Promise<Told> => {
    asked.push(question.kind);
    if (question.kind === "terms") return { kind: "terms", terms: makeTerms({ choices: [{ strategy: "native" }] }) };
    return { kind: "summary", answer: { kind: "text", text: "In short." } };
  };
  return { asked, ask };
}

describe("openJobs", () => {
  it("makes a preview once for all of its pages", async () => {
    const { asked, ask } = makeGateway();
    const doJob = openJobs(COUNTERS);
    await doJob(job, ask);
    const further = await doJob({ ...job, page: { from: 0, limit: 1, row: 4 } }, ask);
    expect(further).toMatchObject({ kind: "preview", answer: { rows: [{ at: 4 }] } });
    expect(asked).toEqual(["terms", "summary"]);
    await doJob(job, ask);
    expect(asked).toEqual(["terms", "summary", "terms", "summary"]);
  });

  it("asks no model unless it is told to, and makes such a preview anew where it is not kept", async () => {
    const { asked, ask } = makeGateway();
    const offline = { ...job, asksModels: false, page: { from: 2, limit: 1 } };
    await openJobs(COUNTERS)(offline, ask);
    expect(asked).toEqual(["terms"]);
  });

  it("does not pay again for a page of what is not kept any more", async () => {
    const doJob = openJobs(COUNTERS);
    const { asked, ask } = makeGateway();
    for (const key of ["a", "b", "c", "d", "e"]) await doJob({ ...job, key, asksModels: false }, ask);
    const page = { from: 1, limit: 1 };
    await expect(doJob({ ...job, key: "a", page }, ask)).rejects.toMatchObject({ code: "request.not-kept" });
    expect(asked).not.toContain("summary");
  });

  it("does not take one answer for another", async () => {
    const wrong = async (): Promise<Told> => ({ kind: "summary", answer: { kind: "failed", why: "" } });
    await expect(openJobs(COUNTERS)(job, wrong)).rejects.toMatchObject({ code: "internal.bug" });
    const always = async (): Promise<Told> => ({
      kind: "terms",
      terms: makeTerms({ choices: [{ strategy: "native" }] }),
    });
    await expect(openJobs(COUNTERS)(job, always)).rejects.toMatchObject({ code: "internal.bug" });
  });
});
