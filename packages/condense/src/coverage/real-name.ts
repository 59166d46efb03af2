/** Whether a word names something of the conversation, and can be needed to name it again. `isKnown` says whether a word occurs elsewhere. */
export function isRealName(word: string, isKnown: (word: string) => boolean): boolean {
  if (NO_NAME.test(word) || REMNANT.test(word) || BUNDLED.test(word) || DECORATED.test(word)) return false;
  if (ESCAPE_LETTER.test(word) && isKnown(word.slice(1))) return false;
  return !isFragment(word) && !isProse(word) && !isUbiquitous(word);
}

/** Numbers, and parts of timestamps, durations and versions; permissions in a listing; code points. They name nothing. */
const NO_NAME = /^v?[\d.:/-]+(?:[a-zA-Z]{1,2})?$|^\w?[dl-]?(?:[r-][w-][xsStT-]){2,3}|^u[0-9a-f]{4}/;
/** Remnants of colors, quotes and line breaks, words cut at a dash, and sizes and colors of CSS classes. */
const REMNANT =
  /^\d{1,3}m\S|[-$]$|^[nrt](?:[A-Z]{2}|[A-Z][a-z]+$)|^(?:[hwpm]|[pm][xytrbl]|gap|space-[xy]|(?:max|min)-[hw]|col-span|leading|(?:bg|text|border)-[a-z]{1,9})-\d{1,3}$/;
/** A letter that was an escape before the text was quoted, as in `\\nparseLine`. */
const ESCAPE_LETTER = /^[nrt](?=.{3})/;
/** Files that a bundler wrote: a hash before the extension changes with every build. */
const BUNDLED = /[-.](?=[\w-]{0,7}[A-Z\d])[\w-]{8}\.(?:m?js|css|svg|png|woff2?)(?:\.map)?$/;
/** Dots and frames that a tool draws, as in `····console.log`. */
const DECORATED = /[^\p{L}\p{M}\p{N}_$@./-]/u;

/** Parts of minified code and of source maps, as in `t.exports` and `IAClC`: real names have longer parts. */
function isFragment(word: string): boolean {
  const parts = word.split(/[./-]/);
  if (parts.length === 2 && parts.some((part) => /^[a-zA-Z_$]?$/.test(part))) return true;
  return parts.length === 1 && !/_|\d/.test(word) && !/\p{Ll}{3}|[^ -~]/u.test(word);
}

/** Words that are joined in prose, as in `high-level` and `SEARCH/REPLACE`. */
function isProse(word: string): boolean {
  const [first = "", last = "", ...others] = word.split(/[/-]/);
  if (others.length > 0 || last === "" || !/^[\p{L}/-]+$/u.test(word)) return false;
  if (word.includes("/")) return /\p{Lu}/u.test(word);
  return !/\p{Lu}/u.test(word) && (FIRST_IN_PROSE.has(first) || LAST_IN_PROSE.has(last));
}

/** Names of languages, standard libraries and tools: a model knows them without the conversation. */
function isUbiquitous(word: string): boolean {
  if (UBIQUITOUS.has(word)) return true;
  const [, owner = "", member = ""] = /^([\w$]+)\.([\w$]+)$/.exec(word) ?? [];
  return MEMBERS.has(member) && /^[A-Z]?[a-z]+$/.test(owner);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const FIRST_IN_PROSE = words(
  "all anti auto built co cross de double end ex extra first full half hard high in inter intra k left long low mid mini multi new no off on open out over own per post pre pseudo re read real right run second self semi set short single so soft still sub third top trade un under up user well work write zero",
);
const LAST_IN_PROSE = words(
  "agnostic aware based boxing by compatible dependent depth described driven enabled encoded existing fix fly free friendly in independent known less level like line mortem off on only oriented out over party place powered progress related safe sensitive side size specific style term through time to up used user wide world",
);

const MEMBERS = words(
  `log error warn info debug length size map filter forEach flatMap push pop shift unshift slice splice split join trim trimEnd trimStart
  startsWith endsWith includes indexOf lastIndexOf replace replaceAll match matchAll test exec search toString valueOf toLowerCase toUpperCase
  toFixed keys values entries fromEntries assign freeze get set has delete add clear append find findIndex findLast some every reduce sort
  reverse concat at fill flat then catch finally all race resolve reject text blob ok status statusText headers body method url name id
  type kind value values key data message code stack parse stringify now toISOString getTime dirname basename extname isArray from of isInteger
  isNaN floor ceil round min max abs random exit argv env cwd stdout stderr stdin on off once emit format strip
  items loads dumps lower upper startswith endswith extend insert index count exists mkdir path call apply bind prototype target current
  props state style content start stop`,
);

const UBIQUITOUS = words(
  `useState useEffect useMemo useRef useCallback useContext forEach flatMap RegExp BigInt FormData URLSearchParams TextEncoder TextDecoder
  setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask AbortController AbortSignal ReadableStream WritableStream
  Uint8Array Uint32Array Float64Array ArrayBuffer SharedArrayBuffer WeakMap WeakSet TypeError RangeError SyntaxError ReferenceError ValueError
  KeyError AttributeError ImportError RuntimeError NotImplementedError FileNotFoundError innerHTML textContent getElementById querySelector
  querySelectorAll addEventListener removeEventListener preventDefault createElement className onClick onChange onSubmit localStorage
  sessionStorage ReturnType ReadonlyArray ReadonlyMap ReadonlySet hasOwnProperty isArray toString toISOString toLowerCase toUpperCase
  startsWith endsWith indexOf lastIndexOf replaceAll trimEnd trimStart parseInt parseFloat encodeURIComponent decodeURIComponent
  structuredClone __dirname __filename __init__ __name__ __main__ __esModule __pycache__ node_modules process.env process.argv process.cwd
  import.meta import.meta.url new_string old_string replace_all file_path tool_use_error import.meta.dirname UTF-8 utf-8 ES2020 ES2022 application/json text/plain dev/null`,
);
