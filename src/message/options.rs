//! OPTIONS (v5 §4.1.3): an empty body. The answer is SUPPORTED. Used before STARTUP and as a heartbeat.
