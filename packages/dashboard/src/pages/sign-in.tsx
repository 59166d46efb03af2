import { useState } from "preact/hooks";
import { useGateway } from "../gateway/gateway.tsx";
import { Failure } from "../parts/answered.tsx";

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
        <Failure words={refusal} />
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
