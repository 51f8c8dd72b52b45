// A view: one committed state of what is sent in place of the folded and pruned entries. Immutable once committed.

/** One entry whose bytes are replaced. */
export interface Replacement {
  readonly position: number;
  /** Exact JSON text sent instead; '' = the entry is left out. */
  readonly raw: string;
  /** refused: a provider would not take what stood there; later views keep it out for as long as the entry is sent at all. */
  readonly kind: 'prune' | 'squeeze' | 'summary' | 'refused';
  /** Uncalibrated estimate of `raw`, tokens. */
  readonly tokens: number;
}

/** What a view sends for positions up to its watermark; everything else goes out as it came. */
export interface ViewBody {
  readonly fold?: {
    /** Last folded position. */
    readonly to: number;
    /** Chain hash at `to`. */
    readonly toChain: string;
    /** The summary as a message of its own; undefined when it is prepended to the first kept message (a replacement of kind 'summary'). */
    readonly raw?: string;
    readonly text: string;
    /** Uncalibrated estimate of the summary, tokens. */
    readonly tokens: number;
    readonly summary: 'model' | 'facts';
  };
  readonly replacements: readonly Replacement[];
  /** Pins that stand in the summary. */
  readonly pinIds: readonly string[];
  /** Of an undo or an amendment: the compaction that is shown (again); '' = none, everything as it came. */
  readonly restores?: string;
}

export const EMPTY_VIEW_BODY: ViewBody = { replacements: [], pinIds: [] };

/** The identity of a view, without its bytes. */
export interface ViewHead {
  readonly viewId: string;
  /** The view this one replaced; undefined for the first. */
  readonly baseViewId?: string;
  /** amendment: as before, without reasoning that a provider refused; nothing that can be undone. */
  readonly kind: 'compaction' | 'undo' | 'amendment';
  /** Chain hash and position of the last entry it touches: it applies to a request iff that entry is on its chain. undefined = touches none. */
  readonly cover?: { readonly position: number; readonly chain: string };
  /** Last entry the plan saw. */
  readonly watermark: { readonly position: number; readonly chain: string };
  readonly atMs: number;
  /** For undo: the fold end (chain hash) that is refused from now on. */
  readonly refusedFold?: string;
}

export interface View extends ViewHead {
  readonly body: ViewBody;
}
