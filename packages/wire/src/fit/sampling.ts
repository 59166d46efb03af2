import { pureHash, type Request, type Sampling } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { given } from "../fields/given.ts";

/** Keeps to the parameters, the lengths and the ranges that the model and the format take. */
export function fitSettings(request: Request, fitting: Fitting): Request {
  const named = request.model === fitting.target.model ? request : { ...request, model: fitting.target.model };
  return [fitSampling, fitLength, fitParallel, fitFormat, fitUser].reduce((fitted, fit) => fit(fitted, fitting), named);
}

const NAMES = ["temperature", "topP", "topK", "frequencyPenalty", "presencePenalty", "seed", "stopSequences"] as const;

function fitSampling(request: Request, fitting: Fitting): Request {
  const { rules, target, warn } = fitting;
  const dropped = NAMES.filter((name) => {
    if (request.sampling[name] === undefined) return false;
    if (name === "topK" && target.topK === true) return false;
    return target.rejects?.includes(name) === true || (isLacking(name) && rules.lacks[`sampling.${name}`] === "drop");
  });
  for (const name of dropped) {
    const message = target.rejects?.includes(name) ? "the model refuses it" : `${rules.wire} has no words for it`;
    warn({ feature: `sampling.${name}`, action: "dropped", message });
  }
  const kept = Object.entries(request.sampling).filter(([name]) => !dropped.some((gone) => gone === name));
  const sampling: Sampling = dropped.length === 0 ? request.sampling : Object.fromEntries(kept);
  const limited = limitSampling(sampling, fitting);
  return limited === request.sampling ? request : { ...request, sampling: limited };
}

function isLacking(name: (typeof NAMES)[number]): name is Exclude<typeof name, "temperature" | "topP"> {
  return name !== "temperature" && name !== "topP";
}

function limitSampling(sampling: Sampling, fitting: Fitting): Sampling {
  const temperature = limitTemperature(sampling.temperature, fitting);
  const stopSequences = limitStops(sampling.stopSequences, fitting);
  const isSame = temperature === sampling.temperature && stopSequences === sampling.stopSequences;
  return isSame ? sampling : { ...sampling, ...given({ temperature, stopSequences }) };
}

function limitTemperature(temperature: number | undefined, { rules, warn }: Fitting): number | undefined {
  if (temperature === undefined || temperature <= rules.maxTemperature) return temperature;
  warn({ feature: "sampling.temperature", action: "changed", message: `at most ${rules.maxTemperature} is allowed` });
  return rules.maxTemperature;
}

const INK = /\S/;

function limitStops(stops: readonly string[] | undefined, { rules, warn }: Fitting): readonly string[] | undefined {
  if (stops === undefined) return undefined;
  const feature = "sampling.stopSequences";
  const inked = rules.refusesBlankText ? stops.filter((stop) => INK.test(stop)) : stops;
  if (inked.length < stops.length) warn({ feature, action: "changed", message: "one of white space only is refused" });
  const kept = inked.slice(0, rules.maxStopSequences);
  if (kept.length < inked.length) {
    warn({ feature, action: "changed", message: `only the first ${rules.maxStopSequences} are sent` });
  }
  return kept.length === stops.length ? stops : kept;
}

function fitLength(request: Request, { target, warn }: Fitting): Request {
  const { maxOutputTokens } = request;
  const most = target.maxOutputTokens;
  if (most === undefined || maxOutputTokens === undefined || maxOutputTokens <= most) return request;
  warn({ feature: "maxOutputTokens", action: "changed", message: `the model writes at most ${most} tokens` });
  return { ...request, maxOutputTokens: most };
}

function fitParallel(request: Request, { rules, warn }: Fitting): Request {
  const { parallelToolCalls, ...rest } = request;
  if (parallelToolCalls === undefined || rules.lacks.parallelToolCalls === undefined) return request;
  if (!parallelToolCalls) {
    const message = `${rules.wire} can't be told to call one tool at a time`;
    warn({ feature: "parallelToolCalls", action: "dropped", message });
  }
  return rest;
}

function fitFormat(request: Request, { rules, warn }: Fitting): Request {
  const { outputFormat, ...rest } = request;
  if (outputFormat?.kind !== "json" || rules.lacks["outputFormat.json"] === undefined) return request;
  const message = `${rules.wire} takes JSON replies only with a schema; give one, or ask for JSON in the prompt`;
  warn({ feature: "outputFormat.json", action: "dropped", message });
  return rest;
}

function fitUser(request: Request, { rules, warn }: Fitting): Request {
  const { user, ...rest } = request;
  if (user === undefined) return request;
  if (rules.lacks.user !== undefined) {
    warn({ feature: "user", action: "dropped", message: `${rules.wire} has no place for the end user's name` });
    return rest;
  }
  if (user.length <= rules.maxUserChars) return request;
  const message = `names over ${rules.maxUserChars} characters are refused; a hash is sent`;
  warn({ feature: "user", action: "changed", message });
  return { ...request, user: pureHash(user) };
}
