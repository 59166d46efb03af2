import type { LastRun, Projection } from "@longhaul/condense";

/** What a conversation was condensed to, and what that came to: plain JSON: positions, hashes, and what we or a model wrote, which may
 * quote the conversation. */
export interface Form extends LastRun {
  readonly projection: Projection;
}

/** Where forms are kept from turn to turn. One that several processes share keeps prompt caches warm whichever of them answers. */
export interface FormMemory {
  /** The form under the first of these keys that has one; they go from the whole conversation to its first message. */
  load(keys: readonly string[]): Form | undefined | Promise<Form | undefined>;
  save(key: string, form: Form): void | Promise<void>;
}

const MAX_FORMS = 1_000;

/** A memory in this process, which forgets what was not used for longest. */
export function makeFormMemory(maxForms = MAX_FORMS): FormMemory {
  const forms = new Map<string, Form>();
  const keep = (key: string, form: Form) => {
    forms.delete(key);
    forms.set(key, form);
  };
  return {
    load: (keys) => {
      const key = keys.find((candidate) => forms.has(candidate));
      const form = key === undefined ? undefined : forms.get(key);
      if (key !== undefined && form !== undefined) keep(key, form);
      return form;
    },
    save: (key, form) => {
      keep(key, form);
      for (const oldest of forms.keys()) {
        if (forms.size <= maxForms) return;
        forms.delete(oldest);
      }
    },
  };
}
