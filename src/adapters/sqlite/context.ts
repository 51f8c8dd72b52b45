// What every group of commands gets.
import type { Database } from './database.ts';

export interface StoreContext {
  readonly storage: 'full' | 'none';
  /** The open database; opens it the first time. Rejects when the store was closed. */
  database(): Promise<Database>;
}
