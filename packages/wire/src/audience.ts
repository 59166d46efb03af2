/** For whom blocks are written. */
export interface Audience {
  /** Whose signatures need no tag. */
  readonly vendor: string;
  /** Whether fields that the canonical model has no name for are written: only to the format that they came from. */
  readonly extras: boolean;
}
