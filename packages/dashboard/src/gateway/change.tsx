import { useCallback, useState } from "preact/hooks";
import { type Api, ApiError, type Fault } from "./api.ts";
import { useGateway, wordsOf } from "./gateway.tsx";
import { useTell } from "./toasts.tsx";

/** Changes something at the gateway. */
export interface Change {
  readonly isBusy: boolean;
  /** What the gateway found wrong with the last one, field by field. */
  readonly faults: readonly Fault[];
  /** Makes a change, tells the reader what came of it, and gives what was answered where it was made. */
  make<T>(work: (api: Api) => Promise<T>, done?: string | ((answer: T) => string)): Promise<T | undefined>;
}

/** How a page changes something at the gateway. */
export function useChange(): Change {
  const { api } = useGateway();
  const tell = useTell();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const make = useCallback<Change["make"]>(
    async (work, done) => {
      setBusy(true);
      setFaults([]);
      try {
        const answer = await work(api);
        if (done !== undefined) tell(typeof done === "string" ? done : done(answer));
        return answer;
      } catch (error) {
        setFaults(error instanceof ApiError ? error.faults : []);
        tell(wordsOf(error), "bad");
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [api, tell],
  );
  return { isBusy, faults, make };
}
