import { plural } from "./format.ts";

/** Text of the settings page, and of all forms for settings. */
export const strings = {
  title: "Settings",
  lead: "Every setting, its value and its source. Changes made here override the file and environment and apply immediately.",
  search: "Search",
  searchPlaceholder: "Name, value or description",
  noMatch: (search: string) => `No settings match “${search}”`,
  noMatchHelp: "Try another word, or clear the search.",

  tableLabel: (group: string) => `Settings of ${group}`,
  columns: {
    setting: "Setting",
    value: "Value",
    source: {
      name: "Source",
      help: "Where the value comes from. The dashboard (stored) overrides the environment, which overrides the file.",
    },
  },
  variable: (variable: string) => ` Environment variable: ${variable}.`,
  needsRestart: " Takes effect after a restart.",
  hidden: "set (hidden)",

  export: "Export",
  import: "Import",
  importRoo: "Import from Roo",
  imported: (settings: number) => `${plural(settings, "setting")} imported.`,
  missingSecrets: (paths: string) => `Secrets that you still have to set: ${paths}.`,
  leftOut: (path: string, why: string) => `Skipped ${path}: ${why}.`,

  editor: {
    removeOverride: "Remove override",
    saved: (path: string) => `${path} saved.`,
    newValue: "New value",
    newJson: "New value (JSON)",
    writeOnly: " The value is never shown again.",
  },
  history: {
    title: "History",
    detail: "changes made in the dashboard or by the admin API",
    empty: "No changes yet",
    emptyHelp: "Changes to settings are listed here, and you can undo them.",
    by: "Changed by",
    byWhen: (by: string, ago: string) => `${by}, ${ago}`,
    undo: "Undo",
    undoLabel: (path: string) => `Undo ${path}`,
    undone: (path: string) => `${path} restored to its previous value.`,
    secret: "hidden",
  },

  form: {
    notSet: "Not set",
    commaSeparated: "separated by commas",
    json: "JSON",
    invalidJson: "not valid JSON; the previous value stays active until it is",
    more: (settings: number) => `More settings (${settings})`,
  },
  faults: {
    required: "is required",
    unknown: "is not a known setting",
    exactly: (value: string) => `must be ${value}`,
    oneOf: (values: string) => `must be one of ${values}`,
    boolean: "must be on or off",
    number: "must be a number",
    integer: "must be a whole number",
    atLeast: (minimum: number) => `must be at least ${minimum}`,
    over: (minimum: number) => `must be greater than ${minimum}`,
    atMost: (maximum: number) => `must be at most ${maximum}`,
    text: "must be text",
    blank: "must not be empty",
    pattern: (pattern: string) => `must match ${pattern}`,
    list: "must be a list",
    tooFew: (minimum: number) => `needs at least ${plural(minimum, "item")}`,
    group: "must be an object",
  },
};
