// Names that the short examples of the documents use without declaring them. Used by `npm run check:docs` only.
import type { Session, Ullage } from 'ullage';

declare global {
  const ullage: Ullage;
  const session: Session;
  const body: { model: string; messages: object[] };
}
