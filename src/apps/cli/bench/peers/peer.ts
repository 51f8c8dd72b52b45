// Another project, as it is told of.

/** A project that is measured beside Ullage, or cannot be. */
export interface Peer {
  readonly name: string;
  /** Packages and versions, exact. */
  readonly packages: readonly string[];
  /** Names of its rows. */
  readonly strategies: readonly string[];
  /** Why it is not measured. */
  readonly problem?: string;
}
