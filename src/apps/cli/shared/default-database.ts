// Where --db points to when nobody says.

export const DEFAULT_DATABASE = 'ullage.db';
