import type { LastRun, Projection } from "@longhaul/condense";
import { Latest } from "@longhaul/conversation";

/**
 * What a conversation was condensed to, and what that came to, as plain JSON: positions, hashes, and what we or a model wrote, which may quote
 * the conversation.
 */
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
  const forms = new Latest<Form>(maxForms);
  return {
    load: (keys) => {
      for (const key of keys) {
        const form = forms.get(key);
        if (form === undefined) continue;
        forms.put(key, form);
        return form;
      }
      return undefined;
    },
    save: (key, form) => forms.put(key, form),
  };
}
