import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { GatewayProvider, useGateway, wordsOf } from "./gateway/gateway.tsx";
import { Toasts } from "./gateway/toasts.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { PAGES } from "./pages.ts";
import { Failure, Loading } from "./parts/answered.tsx";
import { readPlace } from "./router.ts";
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
  return <Failure words={`This page broke: ${wordsOf(error)}`} onRetry={again} />;
}

function usePlace() {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const onChange = () => {
      setPlace(readPlace(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return place;
}
