"""What the tests of the fence share."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@pytest.fixture(scope="session")
def signed():
    """A key and a certificate that it has signed itself, of the kind that a page may name by its digest."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "blocksight")])
    began = datetime.now(UTC) - timedelta(hours=1)
    made = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=began,
        not_valid_after=began + timedelta(days=9),
    )
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(f"127.0.0.{number}")) for number in (1, 2)])
    return key, made.add_extension(names, critical=False).sign(key, hashes.SHA256())
