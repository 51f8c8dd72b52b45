// Term hashes to small dense numbers. Open addressing in typed arrays: look-ups cost the same at a million terms.

const FIRST_CAPACITY = 1024;

export class Vocabulary {
  private slots = new Int32Array(FIRST_CAPACITY).fill(-1);
  private hashes = new Int32Array(FIRST_CAPACITY);
  /** Number of terms; ids are 0 … size − 1. */
  size = 0;

  /** The id of a term, new or known. */
  intern(hash: number): number {
    if (this.size * 2 >= this.slots.length) this.grow();
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let id = this.slots[slot]!; id !== -1; id = this.slots[slot]!) {
      if (this.hashes[id] === hash) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.size++;
    this.slots[slot] = id;
    this.hashes[id] = hash;
    return id;
  }

  /** The id of a known term, else −1. */
  find(hash: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let id = this.slots[slot]!; id !== -1; id = this.slots[slot]!) {
      if (this.hashes[id] === hash) return id;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private grow(): void {
    const capacity = this.slots.length * 2;
    const hashes = new Int32Array(capacity);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.slots = new Int32Array(capacity).fill(-1);
    for (let id = 0; id < this.size; id += 1) {
      let slot = hashes[id]! & (capacity - 1);
      while (this.slots[slot] !== -1) slot = (slot + 1) & (capacity - 1);
      this.slots[slot] = id;
    }
  }
}
