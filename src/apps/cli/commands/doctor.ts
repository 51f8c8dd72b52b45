// `ullage doctor`: what this machine has, and whether the store is sound. Its work is loaded when it runs.
import type { Configure } from '../command.ts';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';

export interface DoctorFlags {
  readonly db?: string;
  readonly json?: boolean;
}

export const configure: Configure = (command, context) => {
  command
    .option('--db <file>', `the database to check; default: ${DEFAULT_DATABASE}, when it is there`)
    .option('--json', 'one JSON document on standard output')
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('../doctor/run.ts');
      await runDoctor(flags, context);
    });
};
