import type { JsonObject } from "@longhaul/conversation";
import { buildExample } from "./example-builder.ts";

/** A discussion without tools, in which early decisions still matter at the end. */
export function planning(): JsonObject {
  const talk = TURNS.reduce(
    (grown, [asks, answers]) => grown.user(asks).assistant(answers),
    buildExample(
      "You help a town library to plan. Respect earlier decisions, and say when something contradicts them.",
    ),
  );
  return talk
    .user(
      "Now write the plan for the council on one page, with dates, money and the three things that must not happen.",
    )
    .body();
}

const TURNS: readonly (readonly [string, string])[] = [
  [
    "We are moving our catalogue of 48,300 books to a new system this year. The budget is 62,000 euros and not one more. The library must stay open on Saturdays, whatever happens, and no reader's history may be handed to the vendor.",
    "Then three things bind everything else: 62,000 euros, open Saturdays, and readers' histories that never leave the library. I would plan backwards from the quietest weeks. Which are those, and how many people can help with the move?",
  ],
  [
    "Weeks 30 to 33 are quiet. There are seven of us, two of whom work half days. Our cataloguer is away in week 31. The old system's licence ends on 30 September, and extending it costs 4,100 euros a month.",
    "So the move should be done by the end of week 33, which leaves six weeks in hand before the licence ends. That absence rules out week 31 for anything that needs the cataloguer. Which tasks are those?",
  ],
  [
    "Those with the old field codes, which only the cataloguer knows; field 952 holds the shelf marks, and about 2,200 books have two of them, from before the extension was built in 1994.",
    "Those 2,200 double shelf marks are the riskiest part, then. I suggest that the cataloguer writes down the codes in week 28, that a trial run with 500 books follows in week 29, and that the double ones are settled by hand before the real run.",
  ],
  [
    "The vendor offers a migration for 18,000 euros, or a kit for 6,500 to do it ourselves. Which would you choose?",
    "With seven people and four quiet weeks I would choose the kit, keep the 11,500 that it saves, and set 5,000 of it aside for two days of the vendor's help in week 32. The offer has one catch: does the kit upload loans as well? If it does, histories would leave the library.",
  ],
  [
    "It does, by default. There is a switch named exportLoans in its settings; the vendor says it can be turned off, but only before the first run.",
    "Then turning off exportLoans is a step of its own, signed by two people, before the trial run in week 29. I would put it at the top of the plan. What about open loans on the day itself?",
  ],
  [
    "About 3,900 books are out at any time. Readers return them mostly on Saturdays. Could we work with paper for a while?",
    "Paper works for a week: print the open loans on the Friday evening, tick off returns by hand on Saturday, and type them in on Monday. With 3,900 loans and some 600 returns on a Saturday, two people at the desk are enough.",
  ],
  [
    "The council also wants self-service machines, two of them, 9,800 euros each. Can we afford that?",
    "Kit 6,500, vendor's days 5,000, machines 19,600, new labels for 48,300 books at 0.12 euros are 5,796, and training 3,200: together 40,096. That leaves 21,904 for the licence of the new system, which you have not mentioned yet.",
  ],
  [
    "The licence is 14,400 a year, with the first year due immediately. And the labels must wait: the ones that we ordered in 2023 do not stick to plastic covers.",
    "With the licence it comes to 54,496 and leaves 7,504 as a reserve, which is twelve per cent. I would not spend it. For the labels, let us test three kinds on fifty plastic covers for two weeks before you order.",
  ],
  [
    "A colleague asks whether the children's section could go first, as a real trial. It has 6,200 books and hardly any double shelf marks.",
    "That is better than my 500 random books: it is a whole section, it is visible, and if it fails you lose one room and not the whole library. It must not happen in a school week, though. Week 30 would do, after exportLoans is off and checked.",
  ],
  [
    "Good. One worry is left: last time we moved, in 2009, the opening hours on the website were wrong for a month and forty people found the doors closed.",
    "Then somebody has to own the opening hours. Let us say: the front desk changes the website, the door sign and the phone message on the Thursday before each change, and somebody else checks all three on Friday at noon.",
  ],
];
