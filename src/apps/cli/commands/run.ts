// `ullage run -- COMMAND`: a gateway for one program. Its work is loaded when it runs.
import type { Configure } from '../command.ts';
import { addGatewayOptions, type GatewayFlags } from '../serve/gateway-options.ts';

export interface RunFlags extends GatewayFlags {
  readonly logFile?: string;
}

export const configure: Configure = (command, context) => {
  command
    .usage('[options] -- <command> [arguments]')
    .argument('<command...>', 'the program and its arguments, after --')
    .option('--log-file <file>', 'where the lines of the gateway go; default: nowhere');
  addGatewayOptions(command).action(async (words: string[], flags: RunFlags) => {
    const { runProgram } = await import('../serve/run-program.ts');
    await runProgram(words, flags, context);
  });
};
