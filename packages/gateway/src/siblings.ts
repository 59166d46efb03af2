/** Other gateways that answer at the same ports, so that nobody outside can choose which one is asked. */
export interface Siblings {
  /** What this one is called among them. */
  readonly name: string;
  /** What the others tell; those that do not answer in time are left out. */
  ask(): Promise<readonly string[]>;
  /** Tells them what they ask for, until the result is called. */
  answer(tell: () => string): () => void;
}
