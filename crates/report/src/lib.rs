//! Evidence and listings as text and JSON.
