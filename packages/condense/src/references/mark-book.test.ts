import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkBook } from "./mark-book.ts";

const target = (message: number, from = 0) => ({ target: { message, block: 0, path: [0] }, from, to: from + 9 });
const name = { short: "src/a.ts", long: "/x/src/a.ts" };
const forms = [(named: string) => `[whole ${named}]`, (named: string) => `[lines of ${named}]`];

function bookWith(...names: readonly (typeof name)[]): MarkBook {
  const book = new MarkBook();
  for (const each of names) book.addName(each);
  return book;
}

describe("MarkBook", () => {
  it("uses the short name of the first text with it, and the long name of others", () => {
    const other = { short: "src/a.ts", long: "/y/src/a.ts" };
    const book = bookWith(name, other);
    expect(book.choose(name, target(1), forms)).toBe("[whole src/a.ts]");
    expect(book.choose(other, target(2), forms)).toBe("[whole /y/src/a.ts]");
  });

  it("uses a mark again only for the same text", () => {
    const book = bookWith(name);
    book.addMark("[whole src/a.ts]", target(4));
    expect(book.choose(name, target(4), forms)).toBe("[whole src/a.ts]");
    expect(book.choose(name, target(4, 1), forms)).toBe("[lines of src/a.ts]");
    book.addMark("[lines of src/a.ts]", target(4, 1));
    expect(book.choose(name, target(5), forms)).toBe("[whole /x/src/a.ts]");
  });

  it("names the version if every name is taken, and gives up after that", () => {
    const plain = { short: "`ls`", long: "`ls`" };
    const book = bookWith(plain);
    const lines = [(named: string) => `[same as ${named}]`];
    book.addMark("[same as `ls`]", target(4));
    expect(book.choose(plain, target(2), lines)).toBe("[same as `ls` (older)]");
    expect(book.choose(plain, target(6), lines)).toBe("[same as `ls` (newer)]");
    book.addMark("[same as `ls` (newer)]", target(6));
    expect(book.choose(plain, target(8), lines)).toBeUndefined();
  });

  it("removes additions after a size", () => {
    const book = bookWith(name);
    const { size } = book;
    book.addName({ short: "b.ts", long: "/x/b.ts" });
    book.addMark("[whole src/a.ts]", target(1));
    book.truncate(size);
    expect(book.size).toEqual(size);
    expect(book.choose(name, target(2), forms)).toBe("[whole src/a.ts]");
  });

  it("never gives one mark to two texts", () => {
    const anyName = fc.constantFrom(name, { short: "src/a.ts", long: "/y/src/a.ts" }, { short: "`ls`", long: "`ls`" });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyName, fc.nat(3), fc.nat(2))), (wanted) => {
        const book = bookWith(...wanted.map(([each]) => each));
        const given = new Map<string, string>();
        for (const [each, message, from] of wanted) {
          const mark = book.choose(each, target(message, from), forms);
          if (mark === undefined) continue;
          book.addMark(mark, target(message, from));
          const meaning = `${message} ${from}`;
          expect(given.get(mark) ?? meaning).toBe(meaning);
          given.set(mark, meaning);
        }
      }),
    );
  });
});
