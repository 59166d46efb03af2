import { LonghaulError } from "@longhaul/conversation";

/** A schema of any library that follows [Standard Schema](https://standardschema.dev), such as zod. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** The schema as JSON Schema, for forms and editors. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Readonly<Record<string, unknown>>;
    };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The values that a schema accepts. */
export type InputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];

/** The values that a schema returns, with defaults. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** Why a value does not fit its schema, and where. */
export interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** The value as its schema returns it, or the reasons why it does not fit. */
export type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Checks a value with a schema. Throws `settings.invalid` if the schema is asynchronous. */
export function checkWith<Output>(schema: StandardSchema<Output>, value: unknown): Checked<Output> {
  const result = schema["~standard"].validate(value);
  if ("then" in result) {
    // Without a handler, a rejection would end the process.
    result.then(undefined, () => {});
    throw new LonghaulError("settings.invalid", "the schema of a strategy must be synchronous");
  }
  if (result.issues === undefined) return result;
  return {
    issues: result.issues.map(({ message, path = [] }) => ({
      message,
      path: path.map((part) => (typeof part === "object" ? part.key : part)),
    })),
  };
}

/** Describes issues, each with its field; `whole` names the value itself. */
export function describeIssues(issues: readonly Issue[], whole: string): string {
  return issues.map(({ path, message }) => `${path.join(".") || whole}: ${message}`).join("; ");
}
