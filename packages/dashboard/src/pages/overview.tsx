import { Page } from "../parts/page.tsx";

/** Whether sessions are safe, and what they cost. */
export function Overview() {
  return (
    <Page title="Overview" lead="Whether your sessions are safe, and what they cost.">
      <div class="loading" role="status" aria-label="Loading" />
    </Page>
  );
}
