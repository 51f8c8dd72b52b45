// `ullage serve`: the gateway. Its work is loaded when it runs.
import { Option } from 'commander';
import type { Configure } from '../command.ts';
import { addGatewayOptions, type GatewayFlags } from '../serve/gateway-options.ts';

export interface ServeFlags extends GatewayFlags {
  readonly port: string;
  readonly host: string;
  readonly token?: readonly string[];
  readonly tokensFile?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
}

export const configure: Configure = (command, context) => {
  command
    .option('--port <number>', 'where to listen; 0 = any free port', '4747')
    .option('--host <address>', 'another address needs tokens', '127.0.0.1')
    .option('--tokens-file <file>', 'access tokens, a NAME=SECRET in each line; or ULLAGE_TOKENS="name=secret,…" in the environment')
    .addOption(new Option('--token <name=secret...>', 'an access token; others on this machine can see it').hideHelp())
    .option('--allow-host <name...>', 'further names by which clients call it')
    .option('--allow-origin <origin...>', 'pages and apps that may call it, besides those of this machine');
  addGatewayOptions(command).action(async (flags: ServeFlags) => {
    const { runServe } = await import('../serve/serve.ts');
    await runServe(flags, context);
  });
};
