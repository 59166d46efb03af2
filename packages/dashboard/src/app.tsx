import { useEffect, useState } from "preact/hooks";
import { GatewayProvider, useGateway } from "./gateway.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { PAGES } from "./pages.ts";
import { Loading } from "./parts/answered.tsx";
import { Toasts } from "./parts/toasts.tsx";
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
      <page.View key={place.id} place={place} />
    </Shell>
  );
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
