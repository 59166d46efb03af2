import type { JsonObject } from "@longhaul/conversation";

export interface Step {
  /** The user's message before the request, if any. */
  readonly userText?: string;
  /** A tool call with its result, or the text that ends the turn. */
  readonly reply: ToolUse | { readonly text: string };
}

interface ToolUse {
  readonly comment: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: string;
}

export const TOOLS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "search", description: "Searches the project for a word and lists the matching lines." },
  { name: "read", description: "Reads a file with line numbers." },
  { name: "edit", description: "Replaces text in a file." },
  { name: "run", description: "Runs a command in the project folder and returns its output." },
];

/** Yields the steps of a session that never ends. The scale multiplies the size of files, search results and test output. */
export function* demoSteps(scale = 1): Generator<Step, never> {
  for (let round = 0; ; round++) {
    for (const part of SHOP_PARTS) yield* workOn(part, round, scale);
  }
}

function* workOn(part: ShopPart, round: number, scale: number): Generator<Step> {
  const { name, figure } = part;
  const file = `src/${name}/${name}.ts`;
  const run = round * SHOP_PARTS.length + SHOP_PARTS.indexOf(part);
  const userText = round === 0 ? part.task : `The ${name} ${figure} must work for returns, too. ${part.task}`;
  const hits = { input: { text: figure }, result: searchHits(part, scale) };
  yield { userText, reply: { tool: "search", ...hits, comment: "Let me find where it is used." } };
  yield { reply: { ...read(file, sourceOf(part, run, scale)), comment: `Now the ${name} rules.` } };
  yield { reply: { ...read(`test/${name}.test.ts`, sourceOf(part, run + 40, scale)), comment: "And its tests." } };
  yield { reply: edit(file, figure, run) };
  yield { reply: { ...test(testRun(part, run, scale)), comment: "Let me run the tests." } };
  yield {
    reply: { ...read(file, sourceOf(part, run + 1, scale)), comment: "One test fails. Let me read the file again." },
  };
  yield { reply: edit(file, figure, run + 1) };
  yield { reply: { ...test(testRun(undefined, run, scale)), comment: "Again." } };
  yield { reply: { text: `The ${name} ${figure} in ${file} now follows the new rule, and all tests pass.` } };
  yield { userText: part.correction, reply: edit(file, figure, run + 2) };
  yield { reply: { ...test(testRun(undefined, run + 1, scale)), comment: "Let me check that." } };
  yield { reply: { text: `Corrected in ${file}; the tests pass. The audit entry is unchanged.` } };
}

function read(path: string, result: string) {
  return { tool: "read", input: { path }, result };
}

function test(result: string) {
  return { tool: "run", input: { command: "npm test" }, result };
}

function edit(path: string, figure: string, run: number): ToolUse {
  const before = `  if (gross >= rules.${figure}Limit * ${(run + 1) * 100}) {`;
  const after = `  if (net >= rules.${figure}Limit * ${(run + 2) * 100} && order.coupons.length <= ${run % 4}) {`;
  const result = `Changed 1 place in ${path}.`;
  return {
    tool: "edit",
    input: { path, before, after },
    result,
    comment: `The ${figure} limit applies too early.`,
  };
}

export interface ShopPart {
  readonly name: string;
  readonly figure: string;
  /** The user's request, and the correction after it. */
  readonly task: string;
  readonly correction: string;
}

export const SHOP_PARTS: readonly ShopPart[] = [
  {
    name: "shipping",
    figure: "fee",
    task: "Orders of 100 EUR and more ship for free. Find where the fee is computed, change it, and run the tests.",
    correction: "No: 100 EUR after coupons, not before. Please correct that.",
  },
  {
    name: "coupon",
    figure: "discount",
    task: "Two coupons on one order must not add up to more than 30%. Read how discounts are computed before you change anything.",
    correction: "The cap is per order, not per line. And keep the audit entry.",
  },
  {
    name: "tax",
    figure: "rate",
    task: "From January, books are taxed at 7%. The rate must depend on the invoice date.",
    correction: "Use the delivery date; the invoice may be later.",
  },
  {
    name: "invoice",
    figure: "total",
    task: "Invoice totals are sometimes off by a cent. Find out why and fix it.",
    correction: "Round once, at the end; never inside the loop.",
  },
  {
    name: "stock",
    figure: "level",
    task: "Two customers bought the last lamp. Reserve stock when it goes into the cart, for 15 minutes.",
    correction: "Do not use a timer. Compare times when the level is read.",
  },
  {
    name: "refund",
    figure: "amount",
    task: "A refund must never be more than what was paid, coupons included. Add a test that shows it.",
    correction: "Shipping is refunded too when the whole order goes back.",
  },
  {
    name: "currency",
    figure: "price",
    task: "Prices in CHF must end in .00 or .50. First look at how the other currencies are rounded.",
    correction: "Round to the nearest, not always up.",
  },
  {
    name: "payment",
    figure: "charge",
    task: "If the card is declined, retry once after a second with the same idempotency key.",
    correction: "Only for soft declines; the code list is in the same file.",
  },
];

const METHODS = [
  ...["forOrder", "forLine", "forCart", "afterCoupons", "inCurrency", "atDate"],
  ...["forReturn", "forGift", "atCheckout", "inCountry", "perWeight", "forMember"],
] as const;

/** The methods of a file; further ones of a longer file have a version in their name. */
function methodsOf(scale: number): string[] {
  return Array.from({ length: METHODS.length * scale }, (_, index) => {
    const version = Math.floor(index / METHODS.length) + 1;
    return `${METHODS[index % METHODS.length]}${version === 1 ? "" : `V${version}`}`;
  });
}

export function sourceOf({ name, figure }: ShopPart, revision: number, scale = 1): string {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const head = [
    `import { type Line, type Order, sumOf } from "../order.ts";`,
    `import { auditEntry } from "../audit.ts";`,
    `import { roundTo } from "../money.ts";`,
    "",
    `/** Rules for the ${figure} of ${name}; revision ${revision}. */`,
    `export interface ${type}Rules {`,
    `  readonly ${figure}Limit: number;`,
    `  readonly validFrom: string;`,
    `  readonly countries: readonly string[];`,
    "}",
    "",
  ];
  const methods = methodsOf(scale).flatMap((method, index) =>
    methodLines({ name, figure, type, method }, index + revision),
  );
  return [...head, ...methods].map((line, index) => `${String(index + 1).padStart(5)}\t${line}`).join("\n");
}

interface Method {
  readonly name: string;
  readonly figure: string;
  readonly type: string;
  readonly method: string;
}

function methodLines({ name, figure, type, method }: Method, variant: number): string[] {
  const call = `${figure}${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  return [
    `/** The ${figure} ${method}, in minor units. */`,
    `export function ${call}(order: Order, rules: ${type}Rules): number {`,
    `  const lines = order.lines.filter((line: Line) => line.kind !== "${name}-exempt");`,
    `  const gross = sumOf(lines, (line) => line.quantity * line.unitPrice);`,
    `  if (gross >= rules.${figure}Limit * ${variant * 100}) {`,
    `    auditEntry("${name}.${method}", { order: order.id, gross, limit: rules.${figure}Limit });`,
    `    return roundTo(gross - rules.${figure}Limit, ${1 + (variant % 5)});`,
    "  }",
    `  const allowed = rules.countries.includes(order.country) ? gross : 0;`,
    `  return roundTo(allowed * ${(variant + 3) / 100}, 1);`,
    "}",
    "",
  ];
}

export function testRun(failing: ShopPart | undefined, run: number, scale = 1): string {
  const files = SHOP_PARTS.flatMap((part, index) => [
    part === failing
      ? ` FAIL  test/${part.name}.test.ts > ${part.figure} > follows the rules of the order`
      : ` PASS  test/${part.name}.test.ts (${12 + index} tests) ${31 + ((run * 7 + index * 3) % 50)} ms`,
    ...(scale === 1 ? [] : methodsOf(scale).map((method, at) => testLine({ ...part, method }, run + index + at))),
  ]);
  const trace =
    failing === undefined
      ? []
      : [
          "",
          `AssertionError: expected ${4_990 + run} to be ${5_000 + run}`,
          ...METHODS.map(
            (method, index) => `    at ${method} (src/${failing.name}/${failing.name}.ts:${24 + index * 12}:10)`,
          ),
          `    at test/${failing.name}.test.ts:${40 + run}:27`,
        ];
  const failed = failing === undefined ? "" : "1 failed, ";
  return [...files, ...trace, "", `Tests  ${failed}${130 + run} passed (${run * 3 + 412} ms)`].join("\n");
}

function testLine({ name, figure, method }: Pick<Method, "name" | "figure" | "method">, at: number): string {
  return `   ✓ ${name} > ${figure} ${method} > rounds to minor units ${1 + (at % 9)} ms`;
}

export function searchHits({ name, figure }: ShopPart, scale = 1): string {
  const hits = (part: ShopPart, index: number) => [
    `src/${part.name}/${part.name}.ts:${14 + index * 9}: const ${figure} = ${figure}ForOrder(order, ${name}Rules);`,
    `test/${part.name}.test.ts:${33 + index * 4}: expect(${figure}ForOrder(makeOrder(${index + 2}), rules)).toBe(${index * 250});`,
  ];
  return Array.from({ length: scale }, (_, page) =>
    SHOP_PARTS.flatMap((part, index) => hits(part, index + page * SHOP_PARTS.length)),
  )
    .flat()
    .join("\n");
}
