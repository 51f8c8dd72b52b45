// The values in a JSON text as readable lines: keys are the protocol's, values are the agent's.

/** Values in document order, one a line; a text that is not JSON stays as it is. Deep nesting is safe. */
export function jsonValues(text: string): string {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return text;
  }
  const lines: string[] = [];
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'object' && value !== null) for (const own of Object.values(value).reverse()) stack.push(own);
    else if (value !== null && value !== undefined && value !== '') lines.push(String(value));
  }
  return lines.join('\n');
}
