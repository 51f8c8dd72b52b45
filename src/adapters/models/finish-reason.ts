// How an answer ended, in one set of words for all APIs: 'stop' is complete.

const WORDS: Readonly<Record<string, string>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool_calls',
  'tool-calls': 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  refusal: 'refusal',
  content_filter: 'refusal',
  'content-filter': 'refusal',
  safety: 'refusal',
};

/** 'stop', 'length', 'tool_calls' or 'refusal'; another word as it is; 'incomplete' when nothing was said about it. */
export function finishWord(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'incomplete';
  const lower = reason.toLowerCase();
  return Object.hasOwn(WORDS, lower) ? WORDS[lower]! : lower;
}
