import type { Ask } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { clientCredential } from "@longhaul/upstream";
import { type Destination, destinationAt } from "../destinations/destination.ts";
import { headersFor, lastingHeaders, plainHeaders } from "../destinations/wire-destination.ts";
import type { Call } from "../request/call.ts";
import type { SummarizerContext } from "./summarizer.ts";

/** A model that may write a summary. */
export interface Candidate {
  readonly destination: Destination;
  readonly headers: Call["headers"];
  /** Whether it is the model that the conversation runs on. */
  readonly isOwn: boolean;
  readonly profile?: string;
}

export interface Unusable {
  readonly profile: string;
  readonly why: string;
}

export type CandidateContext = Pick<SummarizerContext, "snapshot" | "destination" | "call" | "settings" | "sent">;

/** Returns the models that may answer an ask, in the order of trying: the named profile, then the conversation's own model. */
export function candidatesFor({ profile }: Ask, context: CandidateContext): readonly (Candidate | Unusable)[] {
  const own = { destination: context.destination, headers: ownHeaders(context), isOwn: true };
  const name = profile ?? context.settings.summarizer;
  if (name === undefined) return [own];
  const named = candidateOf(name, context);
  return "destination" in named && named.isOwn ? [{ ...own, profile: name }] : [named, own];
}

/** The headers of the conversation itself, so that the same betas apply. */
function ownHeaders({ call, destination, sent }: CandidateContext): Call["headers"] {
  return lastingHeaders(sent?.headers ?? headersFor(call, destination));
}

function candidateOf(profile: string, context: CandidateContext): Candidate | Unusable {
  const { snapshot, call, destination: own } = context;
  const { [profile]: settings = {} } = snapshot.config.profiles;
  const { upstream, model } = settings;
  if (upstream === undefined || model === undefined) {
    return { profile, why: `the profile "${profile}" does not exist or names no upstream and model` };
  }
  try {
    const options = {
      requested: model,
      wire: own.wire,
      snapshot,
      isRenamed: true,
      context: own.context,
      profile: settings,
    };
    const destination = destinationAt(upstream, options);
    const isOwn = destination.handle === own.handle && destination.model === own.model && destination.wire === own.wire;
    const isPassedOn = passesCredential(destination, context);
    if (!isPassedOn && needsCredential(destination)) {
      return { profile, why: `upstream "${upstream}" has no key, and the client's key belongs to another upstream` };
    }
    return { destination, profile, isOwn, headers: plainHeaders(isPassedOn ? call.headers : {}, destination.wire) };
  } catch (error) {
    if (error instanceof LonghaulError) return { profile, why: error.message };
    throw error;
  }
}

/** A self-hosted server often needs no key. */
function needsCredential({ handle }: Destination): boolean {
  const { auth, deployment } = handle.connection.upstream;
  return auth.kind === "client" && deployment.platform !== "other";
}

/** The client's credential is sent only where the conversation itself is sent with it. */
function passesCredential({ handle }: Destination, { destination: own, call }: CandidateContext): boolean {
  const [there, here] = [handle.connection.upstream, own.handle.connection.upstream];
  if (there.auth.kind !== "client" || here.auth.kind !== "client") return false;
  if (clientCredential(call.headers) === undefined) return false;
  const { platform } = there.deployment;
  return there.id === here.id || (platform !== "other" && platform === here.deployment.platform);
}
