//! READY (v5 §4.2.2): an empty body. The answer to STARTUP and to REGISTER. Unframed in v5; what follows it is framed.
