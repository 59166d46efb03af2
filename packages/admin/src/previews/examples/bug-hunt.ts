import type { JsonObject } from "@longhaul/conversation";
import { buildExample, type ExampleBuilder } from "./example-builder.ts";

/** A coding agent looks for a bug: it reads the same files after small edits and runs the same tests many times. */
export function bugHunt(): JsonObject {
  const started = buildExample(
    "You are a careful programmer. Read before you edit, and run the tests after every change.",
    [
      { name: "read_file", description: "Reads a file of the repository, with line numbers.", inputs: ["path"] },
      { name: "edit_file", description: "Replaces a text in a file.", inputs: ["path", "old", "new"] },
      { name: "run_tests", description: "Runs the tests and returns their output.", inputs: ["filter"] },
      { name: "search", description: "Searches all files for a text.", inputs: ["text"] },
    ],
  )
    .user(
      "Invoices with three or more lines are sometimes one cent off. Find out why and fix it. Do not change src/money.ts: the tax office has approved it. Ticket BILL-2291.",
    )
    .use(
      "I will start with the code that computes totals.",
      ["read_file", { path: "src/invoice.ts" }],
      numbered(INVOICE),
    )
    .use("It rounds with the money module.", ["read_file", { path: "src/money.ts" }], numbered(MONEY))
    .use("Let me run the tests first.", ["run_tests", { filter: "invoice" }], testRun(["rounds each line once"]))
    .use("Who else uses the totals?", ["search", { text: "totalOf(" }], SEARCH)
    .use("The report sums lines as well.", ["read_file", { path: "src/report.ts" }], numbered(REPORT));
  return finish(tryThings(started)).body();
}

/** Three attempts, each with a read, an edit and a run of the tests. */
function tryThings(started: ExampleBuilder): ExampleBuilder {
  return ATTEMPTS.reduce(
    (grown, { message, old, new: text, failing }, index) =>
      grown
        .use(
          "Let me read the function again before I edit it.",
          ["read_file", { path: "src/invoice.ts" }],
          numbered(INVOICE),
        )
        .use(
          message,
          ["edit_file", { path: "src/invoice.ts", old, new: text }],
          `Edited src/invoice.ts (${index + 1} replacement).`,
        )
        .use("Now the tests.", ["run_tests", { filter: "invoice" }], testRun(failing))
        .use("And the report, which must agree with the invoice.", ["run_tests", { filter: "report" }], testRun([]))
        .use(
          "Let me check the edited file.",
          ["read_file", { path: "src/invoice.ts" }],
          numbered(INVOICE.replace(old, text)),
        ),
    started,
  );
}

function finish(fixed: ExampleBuilder): ExampleBuilder {
  return fixed
    .assistant(
      "The tax was rounded per line and then summed, while the approved rule rounds the sum once. The invoice now sums exact amounts and rounds at the end; src/money.ts is untouched. All 48 tests pass.",
    )
    .user(
      "Good. Does the yearly report still agree with what customers were billed in March? It went out as 12,480.55.",
    )
    .use("Let me read the report again to be sure.", ["read_file", { path: "src/report.ts" }], numbered(REPORT))
    .use("And run everything once more.", ["run_tests", { filter: "" }], testRun([]))
    .user("Then write the commit message, please: one line, with the ticket's number.");
}

const ATTEMPTS = [
  {
    message: "Perhaps the rounding happens too early.",
    old: "const tax = roundCents(line.amount * line.taxRate);",
    new: "const tax = line.amount * line.taxRate;",
    failing: ["rounds each line once", "shows tax per line"],
  },
  {
    message: "The lines must still show rounded tax; only the total must not use it.",
    old: "return roundCents(sum(lines.map(totalOf)));",
    new: "return roundCents(sum(lines.map(exactTotalOf)));",
    failing: ["shows tax per line"],
  },
  {
    message: "Then the exact total needs a separate function.",
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

/** An invoice. */
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
  (field) => `/** Returns the fault of ${field}, or undefined if it is valid. */
export function check${field[0]?.toUpperCase()}${field.slice(1)}({ ${field} }: Invoice): string | undefined {
  if (${field}.trim() === "") return "${field} is empty";
  return ${field}.length > 200 ? "${field} is longer than 200 characters" : undefined;
}`,
).join("\n\n")}
`;

const MONEY = `/** Rounds half to even, as the tax office requires (approved 2023-11-04). */
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

/** Returns the amount billed in each month of a year, in cents. */
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
  .map((location) => `${location}: … totalOf(line) …`)
  .join("\n");

const CASES = FIELDS.flatMap((field) => [
  `rejects an empty ${field}`,
  `accepts a ${field} of 200 characters`,
  `names the fault of ${field}`,
]);

/** The output of a test run: always the same, except for failing tests. */
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
