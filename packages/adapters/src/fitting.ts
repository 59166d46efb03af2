import {
  type Answer,
  type Ask,
  answerAsks,
  type Condensation,
  type CondensationPlan,
  callsModel,
  checkedStrategy,
  chosenStrategy,
  condenseInSteps,
  type Draft,
  describeMisfit,
  exactBudget,
  isDue,
  mayRunAgain,
  modelFacts,
  narrowAsk,
  type OptionTypes,
  openDraft,
  type Projection,
  planCondensation,
  project,
  requireOptions,
  type Strategy,
} from "@longhaul/condense/advanced";
import {
  type Conversation,
  fingerprint,
  type Hash,
  headFingerprint,
  LonghaulError,
  LruMap,
  prefixHashes,
  pureHash,
} from "@longhaul/conversation/advanced";
import {
  type Calibration,
  type CalibrationSample,
  calibrate,
  costOf,
  findModel,
  hasMedia,
  loadCatalog,
  type Model,
  type ModelMatch,
  makeTokenCounters,
  type Prices,
  startCalibration,
  TOKENIZER_FAMILIES,
  type TokenCounter,
} from "@longhaul/models/advanced";
import { formatCount } from "@longhaul/models/format";
import {
  type FittingCall,
  type FittingOptions,
  type FittingSettings,
  type Form,
  type FormMemory,
  type ModelAnswer,
  makeFormMemory,
} from "./contract.ts";

export interface Fitted {
  /** Has no changes if the conversation needed none. */
  readonly draft: Draft;
  /** The size of the draft, in tokens of the model. */
  readonly tokens: number;
  /** Set if this call condensed the conversation. */
  readonly condensation?: Condensation;
  /** Says which window was assumed, if the catalog does not list the model. */
  readonly warning?: string;
  /** Learns from the vendor's token count of this prompt, for later calls. */
  learn(reportedTokens: number): void;
}

export type Fitting = (call: FittingCall) => Promise<Fitted>;

/**
 * Opens a fitting. A condensed form is reused for every later turn of its conversation, so that prompts keep the same prefix; a new one is
 * made when the conversation has grown over the trigger. A conversation that cannot fit throws `request.too-large`. An unknown strategy or
 * an invalid configuration throws `settings.invalid` at once.
 */
export function openFitting(options: FittingOptions = {}, call: FittingCaller = { caller: "fit" }): Fitting {
  requireOptions(options, { ...call, types: OPTIONS });
  if (options.strategy !== undefined) checkedStrategy(options);
  const { memory = makeFormMemory(), hash = pureHash } = options;
  const counters = makeTokenCounters({ hash });
  const catalog = loadCatalog();
  const calibrations = makeCalibrations();
  const warningFor = makeWarnings(options);
  const running = new Map<string, Promise<Sized>>();
  /** The vendor's counts, by the key of the messages. */
  const reports = new LruMap<number>(MAX_REPORTS);
  return async (given) => {
    const match = findModel(catalog, given.model);
    const { model } = match;
    const warning = warningFor(match, given.model);
    const strategy = chosenStrategy({ ...options, summarize: given.summarize });
    const keys = keysOf(given, strategy, { ...options, hash });
    const call = { ...latestReport(keys, reports), ...given };
    const start = async () => {
      const counter = await counters.counterFor(model.tokenizer, calibrations.ratio(call.model));
      const pricesOf = (id: string) => findModel(catalog, id).model.prices;
      return await fit(call, { settings: options, strategy, memory, hash, keys, counter, model, pricesOf });
    };
    // Concurrent calls for the same turn, such as retries, share one condensation.
    const key = requestKey(call, keys.at(-1), hash);
    const begun = running.get(key) ?? start().finally(() => running.delete(key));
    running.set(key, begun);
    const sized = await begun;
    const learnFrom = (reported: number) => {
      const { draft, tokens: estimated } = sized;
      reports.set(keys.at(-1) ?? "", reported);
      // A condensed conversation says little about how the vendor counts ordinary text.
      const isInformative = draft.conversation === call.conversation || calibrations.ratio(call.model) === undefined;
      const sample = { estimated, reported, hasMedia: hasMedia(draft.conversation) };
      if (isInformative) calibrations.learn(call.model, model, sample);
    };
    return { ...sized, ...(warning !== undefined && { warning }), learn: learnFrom };
  };
}

/** About a thousand conversations. */
const MAX_REPORTS = 1_000;

/** Finds the vendor's count of the longest earlier prompt of a conversation. */
function latestReport(keys: readonly string[], reports: LruMap<number>): Pick<FittingCall, "reported"> {
  const last = keys.findLastIndex((key) => reports.get(key) !== undefined);
  const tokens = reports.get(keys[last] ?? "");
  return tokens === undefined ? {} : { reported: { messages: last + 1, tokens } };
}

/** The public function that opens a fitting, and its required options. */
type FittingCaller = Omit<OptionTypes, "types">;

const COUNT = "a number of at least 0";
const OPTIONS = {
  model: "a string",
  budget: COUNT,
  windowTokens: COUNT,
  reservedTokens: COUNT,
  thresholdPercent: COUNT,
  maxOutputTokens: COUNT,
  memory: ["load", "save"],
  summarize: "a function",
  onCondensed: "a function",
  onWarning: "a function",
  hash: "a function",
} as const;

/** Returns a function that describes the window assumed for an unlisted model, and reports it once. */
function makeWarnings({ windowTokens, budget, onWarning }: FittingSettings) {
  // biome-ignore lint/suspicious/noConsole: an unknown window matters to everyone, and an option replaces this
  const report = onWarning ?? ((warning: string) => console.warn(`longhaul: ${warning}`));
  const reported = new Set<string>();
  return ({ model, warning: isGuess }: ModelMatch, id: string): string | undefined => {
    if (isGuess === undefined || windowTokens !== undefined || budget !== undefined) return undefined;
    const assumed = `assuming a context window of ${formatCount(model.window)} tokens; set windowTokens to the real one`;
    const warning = `model "${id}" is not in the catalog: ${assumed}`;
    if (!reported.has(id)) report(warning);
    reported.add(id);
    return warning;
  };
}

interface Sized {
  readonly draft: Draft;
  readonly tokens: number;
  readonly condensation?: Condensation;
}

interface Context {
  readonly settings: FittingOptions;
  readonly strategy: Strategy;
  readonly memory: FormMemory;
  readonly hash: Hash;
  /** A key for each prefix of the conversation, the whole conversation last. */
  readonly keys: readonly string[];
  readonly counter: TokenCounter;
  readonly model: Model;
  /** Returns the prices of a model by its id. */
  readonly pricesOf: (id: string) => Prices | undefined;
}

async function fit(call: FittingCall, context: Context): Promise<Sized> {
  const { conversation } = call;
  const { memory, hash, keys, counter, strategy, settings } = context;
  const known = await memory.load(keys.toReversed());
  const current = draftOf(conversation, known, hash);
  const plan = planOf(call, context, await uncounted(call, context));
  const { budget } = plan;
  const tokens = counter.countConversation(current.conversation);
  const mayRun = known === undefined || mayRunAgain(known, { tokens, budget });
  const asksModel = () => call.summarize !== undefined && callsModel(plan);
  const timing = { strategy, budget, thresholdPercent: settings.thresholdPercent, asksModel };
  if (!mayRun || !isDue(tokens, timing)) return { draft: current, tokens };
  const condensation = await condense(call, { context, plan, known: known?.projection });
  const { projection, report, misfits } = condensation;
  if (misfits.length > 0) throw tooLarge(misfits, report, call.model);
  const { tokensAfter } = report;
  const { targetTokens } = budget;
  await memory.save(keys.at(-1) ?? "", { projection, tokensBefore: tokens, tokensAfter, targetTokens });
  settings.onCondensed?.(condensation);
  return { draft: project(conversation, projection, hash), tokens: tokensAfter, condensation };
}

/**
 * Returns the difference between the vendor's count of an earlier prompt and ours: an agent's own prompt and tools, which we do not see, and
 * errors of our count. Negative if the vendor counts less.
 */
async function uncounted({ conversation, reported }: FittingCall, context: Context): Promise<number> {
  if (reported === undefined) return 0;
  const { memory, hash, keys, counter } = context;
  const known = await memory.load(keys.slice(0, reported.messages).toReversed());
  const messages = conversation.messages.slice(0, reported.messages);
  const sent = draftOf({ ...conversation, messages }, known, hash);
  const counted = counter.countConversation(sent.conversation);
  const isPlausible = reported.tokens >= counted * MIN_REPORTED_SHARE;
  return isPlausible ? reported.tokens - counted : 0;
}

/** A report of less than this share of our count is about another prompt. */
const MIN_REPORTED_SHARE = 0.5;

function draftOf(conversation: Conversation, known: Form | undefined, hash: Hash): Draft {
  return known === undefined ? openDraft(conversation) : project(conversation, known.projection, hash);
}

function planOf(call: FittingCall, { settings, strategy, model }: Context, uncountedTokens: number): CondensationPlan {
  const { config, windowTokens = model.window, reservedTokens, thresholdPercent, budget } = settings;
  return planCondensation({
    strategy,
    configs: { [strategy.id]: config },
    windowTokens,
    model: modelFacts(model),
    replyTokens: call.maxOutputTokens,
    reservedTokens,
    uncountedTokens,
    thresholdPercent,
    ...(budget !== undefined && { budget: exactBudget(budget - uncountedTokens) }),
  });
}

async function condense(
  { conversation, summarize }: FittingCall,
  { context, plan, known }: { context: Context; plan: CondensationPlan; known: Projection | undefined },
): Promise<Condensation> {
  const { counter, hash, pricesOf } = context;
  const { windowTokens } = plan.budget;
  const running = condenseInSteps(conversation, {
    ...plan,
    counter,
    hash,
    now: Date.now,
    ...(known && { continues: known, sent: known }),
  });
  const narrowed =
    summarize && (async (ask: Ask) => priced(await summarize(narrowAsk(ask, { counter, windowTokens })), pricesOf));
  return await answerAsks(running, { counter, ...(narrowed && { summarize: narrowed }) });
}

/** Adds the cost of an answer, if its usage and its model's prices are known. */
function priced({ model, ...answer }: ModelAnswer, pricesOf: Context["pricesOf"]): Answer {
  const prices = model === undefined ? undefined : pricesOf(model);
  if (answer.costUsd !== undefined || answer.usage === undefined || prices === undefined) return answer;
  return { ...answer, costUsd: costOf(answer.usage, prices) };
}

/** Forms belong to one model, strategy and configuration. */
function keysOf(
  { conversation, model }: FittingCall,
  { id, version }: Strategy,
  { config, budget, hash }: { config?: unknown; budget?: number; hash: Hash },
): string[] {
  const scope = hash(JSON.stringify([model, id, version, config ?? null, ...(budget === undefined ? [] : [budget])]));
  return prefixHashes(
    conversation.messages.map((message) => fingerprint(message, hash)),
    hash,
    scope,
  );
}

/** Returns a key of everything that a result depends on. */
function requestKey(call: FittingCall, messages: string | undefined, hash: Hash): string {
  const { conversation, maxOutputTokens = null, reported = null, summarize } = call;
  return JSON.stringify([
    messages,
    headFingerprint(conversation, hash),
    maxOutputTokens,
    reported,
    summarize !== undefined,
  ]);
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
