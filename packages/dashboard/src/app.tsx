import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { parseRoute } from "./components/router.ts";
import { ErrorNotice, Loading } from "./components/status.tsx";
import { errorMessage, GatewayProvider, useGateway } from "./gateway/gateway.tsx";
import { Toasts } from "./gateway/toasts.tsx";
import { PAGES } from "./pages.ts";
import { Shell } from "./shell.tsx";

/** The whole dashboard: whoever is signed in sees the page that the address names. */
export function App() {
  return (
    <GatewayProvider>
      <Toasts>
        <Content />
      </Toasts>
    </GatewayProvider>
  );
}

function Content() {
  const { signedIn } = useGateway();
  const place = usePlace();
  if (signedIn === "unknown") return <Loading />;
  if (signedIn === "no") return <SignIn />;
  const page = PAGES.find(({ name }) => name === place.page) ?? PAGES[0];
  if (page === undefined) return null;
  return (
    <Shell place={place}>
      <Guarded key={`${page.name}/${place.id}`}>
        <page.View place={place} />
      </Guarded>
    </Shell>
  );
}

/** Where what is below it breaks, this is said in its place, and all around it stays. */
function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error, again] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return <ErrorNotice message={`This page broke: ${errorMessage(error)}`} onRetry={again} />;
}

function usePlace() {
  const [place, setPlace] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = () => {
      setPlace(parseRoute(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return place;
}

/** For whoever comes without a valid cookie. */
export function SignIn() {
  const { signIn, refusal } = useGateway();
  const [token, setToken] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void signIn(token.trim());
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Longhaul</h1>
        <p class="soft">
          Open the address that <code>longhaul start</code> printed, or print a fresh one with{" "}
          <code>longhaul dashboard</code>. You can also paste its token, or the admin token of the configuration, here.
        </p>
        <ErrorNotice message={refusal} />
        <div class="field">
          <label for="token">Token</label>
          <input
            id="token"
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </div>
        <button type="submit" class="main">
          Sign in
        </button>
      </form>
    </main>
  );
}
