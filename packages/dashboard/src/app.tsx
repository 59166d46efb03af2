import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { Button } from "./components/button.tsx";
import { InputField } from "./components/controls.tsx";
import { HelpText, Page } from "./components/page.tsx";
import { hrefTo, parseRoute } from "./components/router.ts";
import { ErrorNotice, Loading } from "./components/status.tsx";
import { errorMessage, GatewayProvider, useGateway } from "./gateway/gateway.tsx";
import { Toasts } from "./gateway/toasts.tsx";
import { PAGES } from "./pages.ts";
import { Shell } from "./shell.tsx";
import { common } from "./strings/common.ts";

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
  const route = useRoute();
  if (signedIn === "unknown") return <Loading />;
  if (signedIn === "no") return <SignIn />;
  const View = PAGES.find(({ path }) => path === route.page)?.View ?? NotFound;
  return (
    <Shell route={route}>
      <ErrorBoundary key={`${route.page}/${route.id}`}>
        <View route={route} />
      </ErrorBoundary>
    </Shell>
  );
}

function NotFound() {
  return (
    <Page title={common.notFound.title} lead={common.notFound.help}>
      <a href={hrefTo("")}>{common.notFound.link}</a>
    </Page>
  );
}

function ErrorBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, retry] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return <ErrorNotice message={common.errors.pageFailed(errorMessage(error))} onRetry={retry} />;
}

function useRoute() {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = () => {
      setRoute(parseRoute(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
}

function SignIn() {
  const { signIn, signInError } = useGateway();
  const [token, setToken] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void signIn(token.trim());
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>{common.product}</h1>
        <p class="soft">
          <HelpText of={common.signIn.help} />
        </p>
        <ErrorNotice message={signInError} />
        <InputField
          label={common.signIn.token}
          type="password"
          autocomplete="off"
          required
          value={token}
          onText={setToken}
        />
        <Button label={common.signIn.submit} type="submit" class="main" />
      </form>
    </main>
  );
}
