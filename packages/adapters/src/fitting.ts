import {
  type Ask,
  answerAsks,
  type Condensation,
  type CondensationPlan,
  callsModel,
  chosenStrategy,
  condenseInSteps,
  type Draft,
  describeMisfit,
  isDue,
  mayRunAgain,
  modelFacts,
  narrowAsk,
  openDraft,
  type Projection,
  planCondensation,
  project,
  type Strategy,
} from "@longhaul/condense";
import {
  type Conversation,
  fingerprint,
  type Hash,
  LonghaulError,
  LruMap,
  prefixHashes,
  pureHash,
} from "@longhaul/conversation";
import {
  type Calibration,
  type CalibrationSample,
  calibrate,
  findModel,
  hasMedia,
  loadCatalog,
  type Model,
  makeTokenCounters,
  startCalibration,
  TOKENIZER_FAMILIES,
  type TokenCounter,
} from "@longhaul/models";
import { type FittingCall, type FittingOptions, type Form, type FormMemory, makeFormMemory } from "./contract.ts";

export interface Fitted {
  /** Has no changes if the conversation needed none. */
  readonly draft: Draft;
  /** Learns from the vendor's token count of this prompt, for later calls. */
  learn(reportedTokens: number): void;
}

export type Fitting = (call: FittingCall) => Promise<Fitted>;

/**
 * Opens a fitting. A condensed form is reused for every later turn of its conversation, so that prompts keep the same prefix; a new one is
 * made when the conversation has grown over the trigger. A conversation that cannot fit throws `request.too-large`.
 */
export function openFitting(options: FittingOptions = {}): Fitting {
  const { memory = makeFormMemory(), hash = pureHash } = options;
  const counters = makeTokenCounters({ hash });
  const catalog = loadCatalog();
  const calibrations = makeCalibrations();
  const running = new Map<string, Promise<Sized>>();
  return async (call) => {
    const { model } = findModel(catalog, call.model);
    const strategy = chosenStrategy({ ...options, ...call });
    const keys = keysOf(call, strategy, { config: options.config, hash });
    const start = async () => {
      const counter = await counters.counterFor(model.tokenizer, calibrations.ratio(call.model));
      return await fit(call, { ...options, strategy, memory, hash, keys, counter, model });
    };
    // Concurrent calls for the same turn, such as retries, share one condensation.
    const key = keys.at(-1) ?? "";
    const begun = running.get(key) ?? start().finally(() => running.delete(key));
    running.set(key, begun);
    const { draft, tokens: estimated } = await begun;
    const learnFrom = (reported: number) => {
      // A condensed conversation says little about how the vendor counts ordinary text.
      const isInformative = draft.conversation === call.conversation || calibrations.ratio(call.model) === undefined;
      const sample = { estimated, reported, hasMedia: hasMedia(draft.conversation) };
      if (isInformative) calibrations.learn(call.model, model, sample);
    };
    return { draft, learn: learnFrom };
  };
}

interface Sized {
  readonly draft: Draft;
  readonly tokens: number;
}

interface Context extends FittingOptions {
  readonly strategy: Strategy;
  readonly memory: FormMemory;
  readonly hash: Hash;
  /** A key for each prefix of the conversation, the whole conversation last. */
  readonly keys: readonly string[];
  readonly counter: TokenCounter;
  readonly model: Model;
}

async function fit(call: FittingCall, context: Context): Promise<Sized> {
  const { conversation } = call;
  const { memory, hash, keys, counter, strategy, thresholdPercent } = context;
  const known = await memory.load(keys.toReversed());
  const current = draftOf(conversation, known, hash);
  const plan = planOf(call, context, await uncounted(call, context));
  const { budget } = plan;
  const tokens = counter.countConversation(current.conversation);
  const mayRun = known === undefined || mayRunAgain(known, { tokens, budget });
  const asksModel = () => call.summarize !== undefined && callsModel(plan);
  if (!mayRun || !isDue(tokens, { strategy, budget, thresholdPercent, asksModel })) return { draft: current, tokens };
  const condensation = await condense(call, { context, plan, known: known?.projection });
  const { projection, report, misfits } = condensation;
  if (misfits.length > 0) throw tooLarge(misfits, report, call.model);
  const { tokensAfter } = report;
  const { targetTokens } = budget;
  await memory.save(keys.at(-1) ?? "", { projection, tokensBefore: tokens, tokensAfter, targetTokens });
  context.onCondensed?.(condensation);
  return { draft: project(conversation, projection, hash), tokens: tokensAfter };
}

/** Returns the tokens that the vendor counted and we did not: an agent's own prompt and tools, and errors of our count. */
async function uncounted({ conversation, reported }: FittingCall, context: Context): Promise<number> {
  if (reported === undefined) return 0;
  const { memory, hash, keys, counter } = context;
  const known = await memory.load(keys.slice(0, reported.messages).toReversed());
  const messages = conversation.messages.slice(0, reported.messages);
  const sent = draftOf({ ...conversation, messages }, known, hash);
  return Math.max(0, reported.tokens - counter.countConversation(sent.conversation));
}

function draftOf(conversation: Conversation, known: Form | undefined, hash: Hash): Draft {
  return known === undefined ? openDraft(conversation) : project(conversation, known.projection, hash);
}

function planOf(call: FittingCall, context: Context, uncountedTokens: number): CondensationPlan {
  const { strategy, config, model, windowTokens = model.window, reservedTokens, thresholdPercent } = context;
  return planCondensation({
    strategy,
    configs: { [strategy.id]: config },
    windowTokens,
    model: modelFacts(model),
    replyTokens: call.maxOutputTokens,
    reservedTokens,
    uncountedTokens,
    thresholdPercent,
  });
}

async function condense(
  { conversation, summarize }: FittingCall,
  { context, plan, known }: { context: Context; plan: CondensationPlan; known: Projection | undefined },
): Promise<Condensation> {
  const { counter, hash } = context;
  const { windowTokens } = plan.budget;
  const running = condenseInSteps(conversation, {
    ...plan,
    counter,
    hash,
    ...(known && { continues: known, sent: known }),
  });
  const narrowed = summarize && (async (ask: Ask) => await summarize(narrowAsk(ask, { counter, windowTokens })));
  return await answerAsks(running, { counter, ...(narrowed && { summarize: narrowed }) });
}

/** Forms belong to one model, strategy and configuration. */
function keysOf(
  { conversation, model }: FittingCall,
  { id, version }: Strategy,
  { config, hash }: { config: unknown; hash: Hash },
): string[] {
  const scope = hash(JSON.stringify([model, id, version, config ?? null]));
  return prefixHashes(
    conversation.messages.map((message) => fingerprint(message, hash)),
    hash,
    scope,
  );
}

function tooLarge(
  misfits: Condensation["misfits"],
  { strategyName, tokensAfter }: Condensation["report"],
  model: string,
): LonghaulError {
  const why = misfits.map(describeMisfit).join("; ");
  return new LonghaulError(
    "request.too-large",
    `the conversation does not fit ${model}, even condensed by ${strategyName}: ${why}; shorten the latest messages`,
    { overflow: { actualTokens: tokensAfter } },
  );
}

/** How each model counts, learned from its replies. */
export interface Calibrations {
  /** Returns the model's tokens per token of its encoding, or undefined before the first sample. */
  ratio(id: string): number | undefined;
  learn(id: string, model: Model, sample: CalibrationSample): void;
}

const MAX_MODELS = 1_000;

/** Makes an empty memory in this process that evicts the least recently used model. */
export function makeCalibrations(maxModels = MAX_MODELS): Calibrations {
  const calibrations = new LruMap<Calibration>(maxModels);
  return {
    ratio: (id) => calibrations.get(id)?.ratio,
    learn: (id, { tokenizer }, sample) => {
      const before = calibrations.get(id) ?? startCalibration(TOKENIZER_FAMILIES[tokenizer].ratio);
      const after = calibrate(before, sample);
      if (after.learnt > 0) calibrations.set(id, after);
    },
  };
}
