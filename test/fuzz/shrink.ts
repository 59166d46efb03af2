/** An input of a fuzz target: JSON, bytes, and arrays and objects of them. */
export type Shrinkable =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array
  | readonly Shrinkable[]
  | { readonly [key: string]: Shrinkable };

const MAX_ATTEMPTS = 4_000;
const MAX_MS = 10_000;

/** Reduces an input while `fails` is true for it, within a limit of attempts and time. */
export async function shrink(input: Shrinkable, fails: (input: Shrinkable) => Promise<boolean>): Promise<Shrinkable> {
  const end = performance.now() + MAX_MS;
  let smallest = input;
  let attempts = 0;
  for (let found = true; found; ) {
    found = false;
    for (const candidate of smallerOnes(smallest)) {
      if (attempts++ >= MAX_ATTEMPTS || performance.now() > end) return smallest;
      found = await fails(candidate);
      if (!found) continue;
      smallest = candidate;
      break;
    }
  }
  return smallest;
}

/** Returns slightly smaller inputs, smallest first. */
function* smallerOnes(value: Shrinkable): Generator<Shrinkable> {
  if (typeof value === "string") yield* shorter(value);
  else if (value instanceof Uint8Array) yield* shorter(value);
  else if (isList(value)) yield* smallerLists(value);
  else if (typeof value === "object" && value !== null) yield* smallerObjects(Object.entries(value));
  else if (typeof value === "number" && value !== 0) yield 0;
}

function isList(value: Shrinkable): value is readonly Shrinkable[] {
  return Array.isArray(value);
}

function* smallerLists(list: readonly Shrinkable[]): Generator<Shrinkable> {
  yield* shorter(list);
  for (const [at, inner] of list.entries()) for (const smaller of smallerOnes(inner)) yield list.with(at, smaller);
}

function* smallerObjects(entries: readonly (readonly [string, Shrinkable])[]): Generator<Shrinkable> {
  for (const at of entries.keys()) yield Object.fromEntries(entries.toSpliced(at, 1));
  for (const [at, [key, inner]] of entries.entries()) {
    for (const smaller of smallerOnes(inner)) yield Object.fromEntries(entries.with(at, [key, smaller]));
  }
}

/** Returns a sequence with one piece removed, in every way: halves first, single elements last. */
function* shorter(value: string | Uint8Array | readonly Shrinkable[]): Generator<Shrinkable> {
  for (let size = value.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < value.length; at += size) {
      if (typeof value === "string") yield value.slice(0, at) + value.slice(at + size);
      else if (value instanceof Uint8Array)
        yield Uint8Array.from([...value.subarray(0, at), ...value.subarray(at + size)]);
      else yield [...value.slice(0, at), ...value.slice(at + size)];
    }
  }
}
