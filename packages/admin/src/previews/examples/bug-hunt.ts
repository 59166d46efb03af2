import type { JsonObject } from "@longhaul/conversation";
import { type Writing, write } from "./written.ts";

/** A coding agent looks for a bug: files are read again after small edits, and tests run again and again. */
export function bugHunt(): JsonObject {
  const writing = write("You are a careful programmer. Read before you edit, and run the tests after every change.", [
    { name: "read_file", description: "Reads a file of the repository, with line numbers.", inputs: ["path"] },
    { name: "edit_file", description: "Replaces a text in a file.", inputs: ["path", "old", "new"] },
    { name: "run_tests", description: "Runs the tests and gives what they print.", inputs: ["filter"] },
    { name: "search", description: "Searches all files for a text.", inputs: ["text"] },
  ])
    .user(
      "Invoices with three or more lines are sometimes one cent off. Find out why and mend it. Do not change src/money.ts: the tax office has approved it. Ticket BILL-2291.",
    )
    .use("I begin with the place where totals are made.", ["read_file", { path: "src/invoice.ts" }], numbered(INVOICE))
    .use("It rounds by means of the money module.", ["read_file", { path: "src/money.ts" }], numbered(MONEY))
    .use(
      "Let me see what the tests say at the moment.",
      ["run_tests", { filter: "invoice" }],
      testRun(["rounds each line once"]),
    )
    .use("Who else uses the totals?", ["search", { text: "totalOf(" }], SEARCH)
    .use("The report sums lines as well.", ["read_file", { path: "src/report.ts" }], numbered(REPORT));
  return settle(tryThings(writing)).body();
}

/** Three attempts, each with a read, an edit and a run of the tests. */
function tryThings(writing: Writing): Writing {
  return ATTEMPTS.reduce(
    (grown, { says, old, new: text, failing }, index) =>
      grown
        .use(
          "I look at the function again before I edit it.",
          ["read_file", { path: "src/invoice.ts" }],
          numbered(INVOICE),
        )
        .use(
          says,
          ["edit_file", { path: "src/invoice.ts", old, new: text }],
          `Edited src/invoice.ts (${index + 1} replacement).`,
        )
        .use("Now the tests.", ["run_tests", { filter: "invoice" }], testRun(failing))
        .use("And the report, which must agree with the invoice.", ["run_tests", { filter: "report" }], testRun([]))
        .use(
          "I check that the file is as I meant it.",
          ["read_file", { path: "src/invoice.ts" }],
          numbered(INVOICE.replace(old, text)),
        ),
    writing,
  );
}

function settle(writing: Writing): Writing {
  return writing
    .assistant(
      "The tax was rounded per line and then summed, while the approved rule rounds the sum once. The invoice now sums exact amounts and rounds at the end; src/money.ts is untouched. All 48 tests pass.",
    )
    .user(
      "Good. Does the yearly report still agree with what customers were billed in March? It went out as 12,480.55.",
    )
    .use("I read the report again to be sure.", ["read_file", { path: "src/report.ts" }], numbered(REPORT))
    .use("And run everything once more.", ["run_tests", { filter: "" }], testRun([]))
    .user("Then write the commit message, please: one line, with the ticket's number.");
}

const ATTEMPTS = [
  {
    says: "Perhaps the rounding happens too early.",
    old: "const tax = roundCents(line.amount * line.taxRate);",
    new: "const tax = line.amount * line.taxRate;",
    failing: ["rounds each line once", "shows tax per line"],
  },
  {
    says: "The lines must still show rounded tax; only the total must not use it.",
    old: "return roundCents(sum(lines.map(totalOf)));",
    new: "return roundCents(sum(lines.map(exactTotalOf)));",
    failing: ["shows tax per line"],
  },
  {
    says: "Then the exact total needs a function of its own.",
    old: "export function totalOf(",
    new: "function exactTotalOf(line: Line): number {\n  return line.amount + line.amount * line.taxRate;\n}\n\nexport function totalOf(",
    failing: [],
  },
] as const;

const FIELDS = [
  "customer",
  "currency",
  "street",
  "city",
  "country",
  "postcode",
  "vatNumber",
  "reference",
  "orderedAt",
  "deliveredAt",
  "dueAt",
  "paidAt",
  "note",
];

const INVOICE = `import { roundCents, sum } from "./money.ts";

/** One line of an invoice, in cents. */
export interface Line {
  readonly what: string;
  readonly amount: number;
  readonly taxRate: number;
}

/** An invoice as it is sent. */
export interface Invoice {
${FIELDS.map((field) => `  readonly ${field}: string;`).join("\n")}
  readonly lines: readonly Line[];
}

export function totalOf(line: Line): number {
  const tax = roundCents(line.amount * line.taxRate);
  return line.amount + tax;
}

export function invoiceTotal({ lines }: Invoice): number {
  if (lines.length === 0) throw new RangeError("an invoice needs at least one line");
  return roundCents(sum(lines.map(totalOf)));
}

${FIELDS.map(
  (field) => `/** Says what is wrong with ${field}; nothing where it is well. */
export function check${field[0]?.toUpperCase()}${field.slice(1)}({ ${field} }: Invoice): string | undefined {
  if (${field}.trim() === "") return "${field} is empty";
  return ${field}.length > 200 ? "${field} is longer than 200 characters" : undefined;
}`,
).join("\n\n")}
`;

const MONEY = `/** Rounds half to even, as the tax office wants it (approved 2023-11-04). */
export function roundCents(amount: number): number {
  const floor = Math.floor(amount);
  const rest = amount - floor;
  if (rest !== 0.5) return Math.round(amount);
  return floor % 2 === 0 ? floor : floor + 1;
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
`;

const REPORT = `import { invoiceTotal, type Invoice } from "./invoice.ts";

/** What was billed in each month of a year, in cents. */
export function yearlyReport(invoices: readonly Invoice[]): readonly number[] {
  const months = Array.from({ length: 12 }, () => 0);
  for (const invoice of invoices) {
    const month = Number(invoice.orderedAt.slice(5, 7)) - 1;
    months[month] = (months[month] ?? 0) + invoiceTotal(invoice);
  }
  return months;
}
`;

const SEARCH = [
  "src/invoice.ts:24",
  "src/invoice.ts:31",
  "src/print/lines.ts:18",
  "test/invoice.test.ts:12",
  "test/invoice.test.ts:40",
]
  .map((place) => `${place}: … totalOf(line) …`)
  .join("\n");

const CASES = FIELDS.flatMap((field) => [
  `refuses an empty ${field}`,
  `takes a ${field} of 200 characters`,
  `tells what is wrong with ${field}`,
]);

/** What a run of the tests prints: the same each time, but for those that fail. */
function testRun(failing: readonly string[]): string {
  const passed = CASES.map((name) => `  ✓ invoice > ${name} (1 ms)`);
  const failed = failing.map(
    (name) =>
      `  ✗ invoice > ${name}\n      AssertionError: expected 10001 to be 10000\n        at test/invoice.test.ts:44:7`,
  );
  return [
    ...passed,
    ...failed,
    "",
    `Tests: ${failing.length} failed, ${CASES.length + 9 - failing.length} passed`,
  ].join("\n");
}

function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, index) => `${String(index + 1).padStart(5)}→${line}`)
    .join("\n");
}
