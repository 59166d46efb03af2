/** The names by which a request says which conversation it belongs to. */
export interface Naming {
  /** The client's own name for its session. */
  readonly session?: string | undefined;
  /** That session, or the thread of a sub-agent in it. */
  readonly conversation?: string | undefined;
  /** The vendor's account, as the client names it. */
  readonly account?: string | undefined;
}

/** Whose a conversation is: nobody else gets anything that is kept of it. */
export interface Owner {
  /** Whose conversations these are; empty without gateway keys. */
  readonly tenant: string;
  /** Hash of the tenant or of the exact vendor credential: what is found by an id alone belongs to it. */
  readonly credential: string;
  /** Returns the hash that what is kept from request to request belongs to. */
  ownerOf(naming: Naming): string;
  /** Returns the name that binds requests to one conversation; undefined if the client names none. */
  bindingOf(naming: Naming): string | undefined;
}

/** A UUID, 25 hexadecimal digits, 17 letters of both cases and digits, or 20 letters and digits in turn: 100 bits if drawn by chance. */
const UNGUESSABLE: readonly (readonly [form: RegExp, isDrawn: (found: string) => boolean])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i, varies],
  [/[0-9a-f]{25,}/i, (found) => varies(found) && /[a-f]/i.test(found)],
  [/(?=[A-Za-z\d]*[a-z])(?=[A-Za-z\d]*[A-Z])(?=[A-Za-z\d]*\d[A-Za-z])[A-Za-z\d]{17,}/, isMixed],
  [/(?=(?:[A-Za-z]+\d+){3}|(?:\d+[A-Za-z]+){3})[A-Za-z\d]{20,}/, varies],
];

/** Whether a name looks drawn by chance from too many to be guessed. */
export function isUnguessable(name: string): boolean {
  return UNGUESSABLE.some(([form, isDrawn]) => {
    const [found] = form.exec(name) ?? [];
    return found !== undefined && isDrawn(found);
  });
}

/** Fewer characters than in nearly every name that is drawn by chance: zeros, a counter or a date. */
const MIN_DIFFERENT = 8;

function varies(found: string): boolean {
  return new Set(found.toLowerCase().replaceAll("-", "")).size >= MIN_DIFFERENT;
}

/** Whether small letters, capitals and digits take turns as often as by chance, and not as in words and years. */
function isMixed(found: string): boolean {
  const runs = found.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0;
  return varies(found) && runs > found.length / 3 + 1;
}

/** Longer than any model's name or session's id; a client may send anything. */
const MAX_NAME_CHARS = 200;

/** Nearly every name is printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A name that a client made up, as it may be kept: of a bounded length, and without characters that some database refuses. */
export function cleanName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && PLAIN.test(name)) return name;
  return name.slice(0, MAX_NAME_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}

/** What keys look like: OpenAI's, Anthropic's and their imitators', our own, Google's, AWS's, and whatever is called a bearer token. */
const LOOKS_SECRET =
  /\bsk-[\w-]{8,}|\blh_[0-9A-Za-z]{43}\b|\bAIza[\w-]{20,}|\bya29\.[\w.-]+|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bBearer\s+[\w.~+/=-]+/g;

/** Redacts whatever looks like anybody's credential. */
export function redactLookalikes(text: string): string {
  return text.replace(LOOKS_SECRET, "[redacted]");
}
