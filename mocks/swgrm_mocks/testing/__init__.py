"""Test support: mock SolidWorks instances and COM servers, built on swgrm_addin; nothing in production imports it."""
