import type { HealthAnswer, RepeatAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/controls.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { errorMessage, useGateway, useQuery } from "../../gateway/gateway.tsx";
import { useToast } from "../../gateway/toasts.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/requests.ts";
import { clientUrl } from "./first-run.tsx";

const { request: texts } = strings;

/** Buttons that repeat a request whose content is recorded. */
export function RepeatButtons({ path }: { readonly path: string }) {
  const { api } = useGateway();
  const showToast = useToast();
  const [repeated, setRepeated] = useState<RepeatAnswer>();
  const { value: health } = useQuery<HealthAnswer>("/health");
  const load = () => api.get<RepeatAnswer>(`${path}/repeat`);
  const copy = async () => {
    try {
      const url = clientUrl(location.origin, health?.clientPort);
      await navigator.clipboard.writeText(curlCommand(await load(), url));
      showToast(texts.curlCopied);
    } catch (error) {
      showToast(error instanceof DOMException ? common.errors.clipboard : errorMessage(error), "bad");
    }
  };
  const ask = () => void load().then(setRepeated, (error: unknown) => showToast(errorMessage(error), "bad"));
  return (
    <>
      <Button label={texts.curl} icon="copy" onClick={() => void copy()} />
      {/* The browser lets this page send requests only to its own address. */}
      {health === undefined || health.clientPort !== undefined ? null : <Button label={texts.resend} onClick={ask} />}
      {repeated === undefined ? null : <Resend repeated={repeated} onClose={() => setRepeated(undefined)} />}
    </>
  );
}

/** Writes a request as a command for a shell. The credential is a variable. */
export function curlCommand({ path, headers, body }: RepeatAnswer, url: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)} \\`);
  return [
    texts.curlNote,
    `curl ${quote(`${url}${path}`)} \\`,
    ...lines,
    '  -H "authorization: Bearer $LONGHAUL_API_KEY" \\',
    `  --data-binary ${quote(body)}`,
  ].join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function Resend({ repeated, onClose }: { readonly repeated: RepeatAnswer; readonly onClose: () => void }) {
  const showToast = useToast();
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const credential = key === "" ? {} : { "x-api-key": key };
      const headers = { ...repeated.headers, ...credential };
      const response = await fetch(repeated.path, {
        method: "POST",
        headers,
        body: repeated.body,
        credentials: "omit",
      });
      await response.arrayBuffer();
      showToast(texts.resent(response.status), response.ok ? undefined : "bad");
      onClose();
    } catch (error) {
      showToast(errorMessage(error), "bad");
      setBusy(false);
    }
  };
  return (
    <Dialog title={texts.resendTitle} onClose={onClose}>
      <p>{texts.resendHelp}</p>
      <InputField
        label={texts.resendKey}
        help={texts.resendKeyHelp}
        type="password"
        autocomplete="off"
        value={key}
        onText={setKey}
      />
      <DialogButtons onClose={onClose}>
        <Button label={texts.resend} class="main" disabled={isBusy} onClick={() => void send()} />
      </DialogButtons>
    </Dialog>
  );
}
