/** The client's names for the conversation of a request. */
export interface Naming {
  /** The client's own name for its session. */
  readonly session?: string | undefined;
  /** That session, or a sub-agent's thread in it. */
  readonly conversation?: string | undefined;
  /** The client's name for the vendor's account. */
  readonly account?: string | undefined;
}

/** The owner of a conversation. Nothing that is stored for it is given to anyone else. */
export interface Owner {
  /** Empty without gateway keys. */
  readonly tenant: string;
  /** Hash of the tenant or of the exact vendor credential. It owns state that is found by an id alone. */
  readonly credential: string;
  /** Returns the hash of the owner of stored state. */
  ownerOf(naming: Naming): string;
  /** Returns the name that binds requests to one conversation; undefined if the client does not name it. */
  bindingOf(naming: Naming): string | undefined;
}

/** A UUID, 25 hexadecimal digits, 17 letters of both cases and digits, or 20 alternating letters and digits: 100 bits if random. */
const UNGUESSABLE: readonly (readonly [form: RegExp, isDrawn: (found: string) => boolean])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i, varies],
  [/[0-9a-f]{25,}/i, (found) => varies(found) && /[a-f]/i.test(found)],
  [/(?=[A-Za-z\d]*[a-z])(?=[A-Za-z\d]*[A-Z])(?=[A-Za-z\d]*\d[A-Za-z])[A-Za-z\d]{17,}/, isMixed],
  [/(?=(?:[A-Za-z]+\d+){3}|(?:\d+[A-Za-z]+){3})[A-Za-z\d]{20,}/, varies],
];

/** Returns whether a name looks random and too long to guess. */
export function isUnguessable(name: string): boolean {
  return UNGUESSABLE.some(([form, isDrawn]) => {
    const [found] = form.exec(name) ?? [];
    return found !== undefined && isDrawn(found);
  });
}

/** Nearly every random name has more different characters; zeros, counters and dates have fewer. */
const MIN_DIFFERENT = 8;

function varies(found: string): boolean {
  return new Set(found.toLowerCase().replaceAll("-", "")).size >= MIN_DIFFERENT;
}

/** Returns whether lower case, upper case and digits alternate as often as at random, unlike in words and years. */
function isMixed(found: string): boolean {
  const runs = found.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0;
  return varies(found) && runs > found.length / 3 + 1;
}

/** Longer than any model's name or session id; a client may send anything. */
const MAX_NAME_CHARS = 200;

/** Nearly every name is printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Makes a client's name safe to store: of bounded length and without characters that some database refuses. */
export function cleanName(name: string, maxChars = MAX_NAME_CHARS): string {
  if (name.length <= maxChars && PLAIN.test(name)) return name;
  return name.slice(0, maxChars).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}

/** Keys of OpenAI, Anthropic and compatible vendors, our own, Google's, AWS's, and any bearer token. */
const LOOKS_SECRET =
  /\bsk-[\w-]{8,}|\blh_[0-9A-Za-z]{43}\b|\bAIza[\w-]{20,}|\bya29\.[\w.-]+|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bBearer\s+[\w.~+/=-]+/g;

/** Redacts everything that looks like a credential. */
export function redactLookalikes(text: string): string {
  return text.replace(LOOKS_SECRET, "[redacted]");
}
