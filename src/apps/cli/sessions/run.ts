// The doors of `ullage sessions`, one a subcommand.

export { runExport } from './export.ts';
export { runList } from './list.ts';
export { runPin } from './pin.ts';
export { runRead } from './read.ts';
export { runDelete, runPrune } from './remove.ts';
export { runSearch } from './search.ts';
export { runShow } from './show.ts';
export { runUndo } from './undo.ts';
