// A max-heap of lines by gain per token. Equal keys: the lower line first, so that the order is total.

export class LineHeap {
  private keys = new Float64Array(256);
  private lines = new Int32Array(256);
  size = 0;

  push(line: number, key: number): void {
    if (this.size === this.lines.length) this.grow();
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(key, line, parent)) break;
      this.keys[at] = this.keys[parent]!;
      this.lines[at] = this.lines[parent]!;
      at = parent;
    }
    this.keys[at] = key;
    this.lines[at] = line;
  }

  /** Key of the first line; −1 when the heap is empty. */
  topKey(): number {
    return this.size === 0 ? -1 : this.keys[0]!;
  }

  /** Takes the first line off; the heap must not be empty. */
  pop(): number {
    const first = this.lines[0]!;
    this.size -= 1;
    const key = this.keys[this.size]!;
    const line = this.lines[this.size]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.isBefore(this.keys[child + 1]!, this.lines[child + 1]!, child)) child += 1;
      if (this.isBefore(key, line, child)) break;
      this.keys[at] = this.keys[child]!;
      this.lines[at] = this.lines[child]!;
      at = child;
    }
    this.keys[at] = key;
    this.lines[at] = line;
    return first;
  }

  private isBefore(key: number, line: number, other: number): boolean {
    const otherKey = this.keys[other]!;
    return key > otherKey || (key === otherKey && line < this.lines[other]!);
  }

  private grow(): void {
    const keys = new Float64Array(this.lines.length * 2);
    const lines = new Int32Array(this.lines.length * 2);
    keys.set(this.keys);
    lines.set(this.lines);
    this.keys = keys;
    this.lines = lines;
  }
}
