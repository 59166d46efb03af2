import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import {
  type Config,
  isWithin,
  ORIGINS,
  type Origin,
  parsePath,
  type SettingEntry,
  spellPath,
  valueAt,
  withValue,
} from "@longhaul/settings";
import { sectionChangeSchema } from "../api/sections.ts";
import { settingsChangedSchema } from "../api/settings.ts";
import type { LiveSettings } from "../host/live-settings.ts";
import { changedBy } from "./change-settings.ts";
import { type Route, route } from "./route.ts";

/** A part of the settings that holds things by names of the user's own. */
export type SectionKind = "upstreams" | "profiles";

/** What is set under one name. */
export interface Section {
  readonly name: string;
  /** Without secrets. */
  readonly settings: JsonObject;
  /** Secrets that are set. */
  readonly secrets: string[];
  /** Who sets something of it. */
  readonly origins: Origin[];
  readonly canRemove: boolean;
}

/** Everything of a kind. */
export function sectionsOf(kind: SectionKind, settings: LiveSettings): Section[] {
  const all = settings.effective().map((each) => ({ ...each, place: parsePath(each.path) }));
  return Object.keys(settings.layered.config[kind]).map((name) => {
    const within = all.filter(({ place, isSet }) => isSet && isWithin(place, [kind, name]));
    const origins = ORIGINS.filter((origin) => origin !== "default" && within.some((each) => each.origin === origin));
    const open = within.filter(({ setting }) => !setting.isSecret);
    const spelled = open.reduce<unknown>((tree, { place, value }) => withValue(tree, place.slice(2), value), {});
    return {
      name,
      settings: isJsonObject(spelled) ? spelled : {},
      secrets: within
        .filter(({ setting, path }) => setting.isSecret && !isEmpty(valueAt(settings.layered.config, parsePath(path))))
        .map(({ place }) => spellPath(place.slice(2))),
      origins,
      canRemove: origins.every((origin) => origin === "stored"),
    };
  });
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The changes that set fields under a name. */
export function sectionEntries(kind: SectionKind, name: string, fields: JsonObject): SettingEntry[] {
  return Object.entries(fields).map(([field, value]) => {
    const path = spellPath([kind, name, field]);
    return value === null ? { path } : { path, value };
  });
}

/** The change that removes what stands under a name; throws where something else than the store holds it. */
export function removalOf(kind: SectionKind, name: string, settings: LiveSettings): SettingEntry {
  const section = sectionsOf(kind, settings).find((each) => each.name === name);
  const what = `${kind.replace(/s$/, "")} "${name}"`;
  if (section === undefined) throw new LonghaulError("request.not-kept", `there is no ${what}`);
  if (!section.canRemove) {
    const where = section.origins.filter((origin) => origin !== "stored").join(" and the ");
    throw new LonghaulError("store.conflict", `the ${what} stands in the ${where}; remove it there`);
  }
  return { path: spellPath([kind, name]) };
}

/** The routes that lead to an upstream or a profile. */
export function routesTo(kind: SectionKind, name: string, { routes }: Config): string[] {
  const leads = (route: Config["routes"][number]) =>
    kind === "profiles" ? route.profile === name : [route.upstream].flat().includes(name);
  return routes.filter(leads).map(({ match }) => match);
}

/** How what stands under a name is changed. */
export function changeRoutes(kind: SectionKind): readonly Route[] {
  const one = kind.replace(/s$/, "");
  return [
    route({
      method: "PATCH",
      path: `/${kind}/:name`,
      scope: "admin",
      summary: `Makes or changes one ${one}: sets the fields that are given, and takes back those that are null.`,
      body: sectionChangeSchema,
      answer: settingsChangedSchema,
      run: ({ params: { name = "" }, body }, context) =>
        changedBy(context, { entries: sectionEntries(kind, name, body) }),
    }),
    route({
      method: "DELETE",
      path: `/${kind}/:name`,
      scope: "admin",
      summary: `Removes one ${one} that was made here.`,
      answer: settingsChangedSchema,
      run: async ({ params: { name = "" } }, context) =>
        changedBy(context, { entries: [removalOf(kind, name, context.settings)] }),
    }),
  ];
}
