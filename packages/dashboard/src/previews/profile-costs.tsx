import type { EstimateAnswer } from "@longhaul/settings";
import { spellCount, spellPrice, spellShare } from "../format.ts";
import { type Column, Table } from "../parts/table.tsx";

type ProfileCost = EstimateAnswer["profiles"]["costs"][number];

/** What each profile would take for the summaries of a conversation, which is the best one, and why. */
export function ProfileCosts({ profiles }: { readonly profiles: EstimateAnswer["profiles"] }) {
  const { strategy, asks, inputTokens, outputTokens, costs, recommended } = profiles;
  return (
    <>
      <p class="notice">{recommended.reason}</p>
      <Table
        label="Costs by profile"
        rows={costs}
        keyOf={({ profile }) => profile ?? ""}
        columns={costColumns(recommended.profile)}
      />
      <p class="soft small">
        For {strategy}: {asks === 1 ? "one summary" : `${asks} summaries`}, {spellCount(inputTokens)} tokens in and
        about {spellCount(outputTokens)} out.
      </p>
    </>
  );
}

function costColumns(recommended: string | null): readonly Column<ProfileCost>[] {
  return [
    {
      name: "Profile",
      show: ({ profile }) => (
        <>
          {profile ?? <span class="soft">the conversation's own model</span>}{" "}
          {profile === recommended ? <span class="badge accent">recommended</span> : null}
        </>
      ),
    },
    { name: "Model", show: ({ model }) => model },
    { name: "Fits", show: ({ fits }) => (fits ? "yes" : "in parts") },
    { name: "Cost", isFigure: true, show: ({ costUsd }) => spellPrice(costUsd) },
    { name: "Saves", isFigure: true, show: spellSavings },
  ];
}

function spellSavings({ profile, savedUsd, savedPercent }: ProfileCost): string {
  if (profile === null) return "–";
  return savedPercent === null ? spellPrice(savedUsd) : `${spellPrice(savedUsd)} (${spellShare(savedPercent / 100)})`;
}
