// Waits for something to become true, looked at whenever something has happened.

export interface Watch {
  /** Something has happened. */
  readonly look: () => void;
  /** Resolves with what is found, now or later. Rejects when the watch ends first. */
  until<T>(find: () => T | undefined): Promise<T>;
  /** Nothing will happen any more. */
  end(): void;
}

interface Watcher {
  look(): void;
  end(): void;
}

/** A watch nobody waits at yet. */
export function createWatch(): Watch {
  const watchers = new Set<Watcher>();
  return {
    look() {
      for (const watcher of [...watchers]) watcher.look();
    },
    until: (find) =>
      new Promise((resolve, reject) => {
        const watcher: Watcher = {
          look() {
            const found = find();
            if (found === undefined) return;
            watchers.delete(watcher);
            resolve(found);
          },
          end: () => reject(new Error('The provider was closed before what the test waits for happened.')),
        };
        watchers.add(watcher);
        watcher.look();
      }),
    end() {
      for (const watcher of watchers) watcher.end();
      watchers.clear();
    },
  };
}
